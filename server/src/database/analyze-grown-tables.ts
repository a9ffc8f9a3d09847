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

const takeLock = statement<{ taken: boolean }>(`
  select pg_try_advisory_xact_lock($1) as taken, set_config('statement_timeout', $2, true)`);

// The live tuples are those inserted and deleted since the last ANALYZE, which sets both numbers alike. It is some seconds
// late, and after a crash of the server begins at 0: then a table is analysed later, once as many rows were added again.
const selectGrown = statement<{ name: string; rows: number }>(`
  select c.oid::regclass::text as name, pg_stat_get_live_tuples(c.oid) as rows from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and pg_stat_get_live_tuples(c.oid) >= 2 * greatest(c.reltuples, 50)`);

/**
 * Analyses each table that has doubled since its last ANALYZE. Plans that were made while a table was small stay until then,
 * and autovacuum may be off, or come a minute after the first thousands of rows. One process at a time does this.
 */
export function analyzeGrownTables(pool: Pool, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  async function keepAnalyzing(): Promise<void> {
    while (!stopping.signal.aborted && !process.env.PROBE_NO_ANALYSIS) {
      await transaction(pool, (tx) => analyzeGrown(tx, log)).catch((err) => log.warn({ err }, 'no table was analysed'));
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

async function analyzeGrown(tx: Transaction, log: Logger): Promise<void> {
  const [lock] = await takeLock(tx, [lockKey, String(analyzeTimeoutMs)]);
  if (!lock!.taken) return;
  for (const table of await selectGrown(tx, [])) {
    // A table that somebody vacuums or alters is left for the next time.
    await tx.query({ text: `analyze (skip_locked) ${table.name}`, values: [], query_timeout: analyzeTimeoutMs });
    log.debug(table, 'a table that has doubled was analysed');
  }
}
