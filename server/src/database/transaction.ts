import type pg from 'pg';
import type { Connection, Pool } from './pool.ts';
import { runOn } from './run-on.ts';

export interface Transaction extends Connection {
  /** Notifies the pool's listeners of a topic after the commit, and not after a rollback. */
  announce(topic: string): void;
  /**
   * Takes sent statements whose rows are not read. The commit follows them without a wait, which saves a round trip. If one
   * fails, the transaction fails.
   */
  pipeline(sent: Promise<unknown>): void;
}

/**
 * How long a transaction waits for a lock: a short time, because other tenants wait with it; or for one tenant, as long as a
 * statement may take. The pool limits the latter, so that connections stay free for others.
 */
export type LockWait = 'short' | { tenant: string };

// Longer than a commit takes on a busy disk, and short for the other tenants of a batch.
const shortWaitMs = 100;
const attemptsOnConflict = 5;
// serialization_failure, deadlock_detected, foreign_key_violation (a row that the use case had read was erased or merged) and
// unique_violation (a row that it had not found was inserted). The next attempt reads the new state.
const conflicts = new Set(['40001', '40P01', '23503', '23505']);

/** Thrown by a use case whose rows changed after it read them. The transaction runs again. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
  readonly code = '40001';
}

/**
 * Runs `work` in one transaction, which commits when `work` resolves and rolls back when it throws. Conflicts run it up to five
 * times, so it must have no effect outside the transaction except `announce`.
 */
export async function transaction<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
  lock_wait?: LockWait,
): Promise<Result> {
  if (typeof lock_wait === 'object') return pool.limitLongWaits(lock_wait.tenant, () => transaction(pool, work));
  // One message, so the setting costs no round trip. It ends with the transaction.
  const begin = lock_wait === 'short' ? `begin; set local lock_timeout = ${shortWaitMs}` : 'begin';
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(pool, begin, work);
    } catch (error) {
      if (attempt === attemptsOnConflict || !conflicts.has(sqlState(error) ?? '')) throw error;
    }
  }
}

/** Runs `work` for one tenant. A long wait for a lock then counts against the limits of the pool. */
export async function separateTransaction<Result>(
  pool: Pool,
  tenant: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await transaction(pool, work, 'short');
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return transaction(pool, work, { tenant });
  }
}

/** Whether a `short` wait for a lock timed out. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** The SQLSTATE of a PostgreSQL error. Each contains a digit, unlike EPIPE. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

async function attemptOnce<Result>(
  pool: Pool,
  begin: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.pg.connect();
  const topics = new Set<string>();
  const unread: Promise<unknown>[] = [];
  let ends = false;
  let cause: { error: unknown } | undefined;
  let result: Result;
  try {
    // It travels with the first statement, which fails if it fails.
    const begun = client.query(begin);
    begun.catch(() => {});
    result = await work({
      log: pool.log,
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
    // Of statements sent together, the rejection of a later one may arrive first, and only says that another one failed.
    const error = sqlState(thrown) === failedTransaction && cause ? cause.error : thrown;
    await rollBack(client, sqlState(error) === readOnly);
    throw error;
  }
  client.release();
  if (topics.size > 0) pool.announce(topics);
  return result;
}

const failedTransaction = '25P02';
// The session may stay read-only after a failover, or belong to a former primary.
const readOnly = '25006';

/** Rolls back. A connection whose rollback fails has an unknown state and is closed. */
async function rollBack(client: pg.PoolClient, isUseless: boolean): Promise<void> {
  try {
    await client.query('rollback');
    client.release(isUseless);
  } catch {
    client.release(true);
  }
}
