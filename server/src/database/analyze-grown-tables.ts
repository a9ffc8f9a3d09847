import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from './pool.ts';
import { statement } from './query.ts';
import { type Transaction, transaction } from './transaction.ts';

const checkEveryMs = 2_000;
/** A large table takes longer than other statements may. */
const analyzeTimeoutMs = 60_000;
/** Any number, known to these processes alone. */
const lockKey = 20_002;

const takeLock = statement<{ taken: boolean; statement_timeout: string }>(`
  select pg_try_advisory_xact_lock($1) as taken, set_config('statement_timeout', $2, true) as statement_timeout`);

interface Grown {
  name: string;
  rows: number;
}

// The live tuples are those inserted and deleted since the last ANALYZE, which sets both numbers alike. It is some seconds
// late, and after a crash of the server begins at 0: then a table is analysed later, once as many rows were added again.
// The tables of jobs grow and empty within seconds. Statistics of an empty moment would make claims read whole indexes.
const selectGrown = statement<Grown>(`
  select c.oid::regclass::text as name, pg_stat_get_live_tuples(c.oid) as rows from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not in ('jobs', 'queue_checks')
    and pg_stat_get_live_tuples(c.oid) >= 2 * greatest(c.reltuples, 50)`);

/**
 * Analyses each table that has doubled since its last ANALYZE. Plans that were made while a table was small stay until then,
 * and autovacuum may be off, or come a minute after the first thousands of rows. One process at a time does this.
 */
export function analyzeGrownTables(pool: Pool, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  async function keepAnalyzing(): Promise<void> {
    while (!stopping.signal.aborted) {
      await analyzeGrown(pool, log).catch((err) => log.debug({ err }, 'tables could not be analysed'));
      await pause(checkEveryMs, undefined, stopping).catch(() => {});
    }
  }
  const ended = keepAnalyzing();
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

async function analyzeGrown(pool: Pool, log: Logger): Promise<void> {
  // Each in its own transaction, so that its plans are made anew at once.
  for (const table of await selectGrown(pool, [])) {
    const isDone = await transaction(pool, (tx) => analyzeInTurn(tx, table));
    if (isDone) log.debug(table, 'a table that has doubled was analysed');
  }
}

async function analyzeInTurn(tx: Transaction, { name }: Grown): Promise<boolean> {
  const [lock] = await takeLock(tx, [lockKey, String(analyzeTimeoutMs)]);
  // Another process analyses tables, or has just analysed this one.
  if (!lock!.taken || !(await selectGrown(tx, [])).some((table) => table.name === name)) return false;
  // A table that somebody vacuums or alters is left for the next time.
  await tx.query({ text: `analyze (skip_locked) ${name}`, values: [], query_timeout: analyzeTimeoutMs });
  return true;
}
