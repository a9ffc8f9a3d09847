import type pg from 'pg';
import type { Connection, Pool } from './pool.ts';
import { runOn } from './run-on.ts';

export interface Transaction extends Connection {
  /** Tells the pool's listeners of this topic once the transaction is committed; not at all when it is rolled back. */
  announce(topic: string): void;
  /**
   * Takes statements that were sent and whose rows nobody reads. The commit is sent behind them without a wait, which
   * saves their round trip; if they fail, so does the transaction.
   */
  pipeline(sent: Promise<unknown>): void;
}

/**
 * How long a transaction waits for a lock: shortly, because other tenants wait with it, or for one tenant and as long as a
 * statement may take. The pool bounds how many do the latter, so that they leave connections to the others.
 */
export type LockWait = 'short' | { tenant: string };

// Longer than a commit takes beside a busy disk, and short for whoever waits behind a stranger's lock.
const shortWaitMs = 100;
const attemptsOnConflict = 5;
// serialization_failure and deadlock_detected: PostgreSQL asks for the transaction to be run again. foreign_key_violation:
// a row that the use case had found was erased or merged away meanwhile; run again, it no longer finds it.
// unique_violation: a row that it had not found was inserted meanwhile; run again, it finds it.
const conflicts = new Set(['40001', '40P01', '23503', '23505']);

/** Thrown by a story that sees that what it had found is gone: it is run again, and finds what is there now. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
  readonly code = '40001';
}

/**
 * Runs `story` in one transaction: committed when it resolves, rolled back when it throws. A deadlock, a serialization
 * failure or a row that went away runs it again, so a story has no effect outside its transaction save what it announces.
 */
export async function transaction<Result>(
  pool: Pool,
  story: (tx: Transaction) => Promise<Result>,
  lock_wait?: LockWait,
): Promise<Result> {
  if (typeof lock_wait === 'object') return pool.limitLongWaits(lock_wait.tenant, () => transaction(pool, story));
  // One message: the setting costs no round trip, and ends with the transaction.
  const begin = lock_wait === 'short' ? `begin; set local lock_timeout = ${shortWaitMs}` : 'begin';
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(pool, begin, story);
    } catch (error) {
      if (attempt === attemptsOnConflict || !conflicts.has(sqlState(error) ?? '')) throw error;
    }
  }
}

/** The same for one tenant alone, whose wait for a lock takes no connection from the others for long. */
export async function separateTransaction<Result>(
  pool: Pool,
  tenant: string,
  story: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await transaction(pool, story, 'short');
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return transaction(pool, story, { tenant });
  }
}

/** Whether a `short` wait for a lock was not long enough. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** The SQLSTATE of a PostgreSQL error, if it is one; unlike EPIPE each has a digit. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

async function runOnce<Result>(
  pool: Pool,
  begin: string,
  story: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.pg.connect();
  const topics = new Set<string>();
  const unread: Promise<unknown>[] = [];
  let ends = false;
  let cause: { error: unknown } | undefined;
  let result: Result;
  try {
    // Not waited for: it travels with the first statement, and if it fails so does that one.
    const begun = client.query(begin);
    begun.catch(() => {});
    result = await story({
      async query(query) {
        if (ends) throw new Error('a statement was sent after the end of its transaction');
        try {
          return await runOn(client, query);
        } catch (error) {
          cause ??= { error };
          throw error;
        }
      },
      announce: (topic) => void topics.add(topic),
      pipeline(sent) {
        sent.catch(() => {});
        unread.push(sent);
      },
    });
    ends = true;
    await Promise.all([...unread, client.query('commit')]);
  } catch (thrown) {
    // Of statements that ran together the story may have heard of a later one first, which only says that one failed.
    const error = sqlState(thrown) === failedTransaction && cause ? cause.error : thrown;
    await rollBack(client, sqlState(error) === readOnly);
    throw error;
  }
  client.release();
  if (topics.size > 0) pool.announce(topics);
  return result;
}

const failedTransaction = '25P02';
// A session may keep this state after the database has become writable again, or lead to a server that gave up its role.
const readOnly = '25006';

/** A connection whose rollback fails is in an unknown state and is thrown away. */
async function rollBack(client: pg.PoolClient, isUseless: boolean): Promise<void> {
  try {
    await client.query('rollback');
    client.release(isUseless);
  } catch {
    client.release(true);
  }
}
