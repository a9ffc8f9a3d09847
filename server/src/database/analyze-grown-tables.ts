import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from './pool.ts';
import { statement } from './query.ts';
import { type Transaction, transaction } from './transaction.ts';

const checkEveryMs = 2_000;
// A large table takes longer than other statements may.
const analyzeTimeoutMs = 60_000;
// Any number that no other advisory lock of Majlis uses.
const lockKey = 20_002;

const takeLock = statement<{ taken: boolean; statement_timeout: string }>(`
  select pg_try_advisory_xact_lock($1) as taken, set_config('statement_timeout', $2, true) as statement_timeout`);

interface Grown {
  name: string;
  rows: number;
}

// ANALYZE sets the rows of the planner and the number of live tuples alike, and later inserts and deletes change the latter. It lags
// by seconds, and begins at 0 after a crash of the server. VACUUM sets both alike too, and leaves the statistics as they were: the
// changes since the last ANALYZE tell. The pause is for tables whose rows change all the time. The tables of jobs grow and empty
// within seconds; statistics of an empty moment would make claims read whole indexes.
const selectGrown = statement<Grown>(`
  select c.oid::regclass::text as name, live as rows from pg_class c
  cross join lateral (select pg_stat_get_live_tuples(c.oid) as live, pg_stat_get_mod_since_analyze(c.oid) as changes,
    greatest(pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)) as analyzed_at) as s
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not in ('jobs', 'queue_checks')
    and live >= 100 and (live >= 2 * c.reltuples
      or 2 * changes >= live and (analyzed_at is null or analyzed_at < clock_timestamp() - interval '10 seconds'))`);

/**
 * Analyses each table that has doubled since its last ANALYZE, or half of which has changed, in one process at a time. Until then
 * the plans of the small table stay in use. Autovacuum may be off, or come a minute after the first thousands of rows.
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
  // One transaction per table, so that its new plans are used at once.
  for (const table of await selectGrown(pool, [])) {
    const analyzed = await transaction(pool, (tx) => analyzeTable(tx, table));
    if (analyzed) log.debug(analyzed, 'a table that has grown was analysed');
  }
}

const selectAnalyzed = statement<Grown>(`
  select oid::regclass::text as name, reltuples as rows from pg_class where oid = $1::regclass`);

/** The table with the rows that it was found to have, which may be more than it was taken for. Undefined where it is left out. */
async function analyzeTable(tx: Transaction, { name }: Grown): Promise<Grown | undefined> {
  const [lock] = await takeLock(tx, [lockKey, String(analyzeTimeoutMs)]);
  // Another process analyses tables, or has just analysed this one.
  if (!lock!.taken || !(await selectGrown(tx, [])).some((table) => table.name === name)) return undefined;
  // Skips a table that is locked by a VACUUM or an ALTER TABLE until the next check.
  await tx.query({ text: `analyze (skip_locked) ${name}`, values: [], query_timeout: analyzeTimeoutMs });
  return (await selectAnalyzed(tx, [name]))[0];
}
