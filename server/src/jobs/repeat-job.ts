import { createHash } from 'node:crypto';
import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Clock } from '../process/clock.ts';
import type { Resources } from '../process/resources.ts';
import { holdLease } from './hold-lease.ts';
import type { JobHandler } from './job.ts';
import { retry } from './queries.ts';
import { supersede } from './supersede.ts';

interface RepeatJob {
  kind: string;
  every_seconds: number;
  /** May exceed a lease. After a crash it starts again. */
  perform(): Promise<void>;
}

/** A handler for one job of the whole service that reschedules itself. The interval counts from the beginning of a run. */
export function repeatJob(
  { pool, clock, config }: Pick<Resources, 'pool' | 'clock' | 'config'>,
  { kind, every_seconds, perform }: RepeatJob,
): JobHandler {
  return {
    kind,
    concurrency: 1,
    group_concurrency: 1,
    async run(job) {
      if (!(await supersede(pool, job))) return { type: 'done' };
      const run_at = new Date(clock.nowMs() + every_seconds * 1000);
      await holdLease(pool, job, config.leaseSeconds, perform);
      await retry(pool, [{ job, run_at, failed: false }]);
      return { type: 'finished' };
    },
  };
}

const insertMissing = statement(`
  insert into jobs (kind, group_id, payload, run_at)
  select k.kind, k.group_id, '', k.run_at
  from unnest($1::text[], $2::uuid[], $3::timestamptz[]) as k (kind, group_id, run_at)
  where not exists (select from jobs j where j.kind = k.kind)`);

// A service that starts for the first time has nothing old. Ten claims beside its first requests would cost half of its start.
const tidyAfterMs = 60_000;

/**
 * Inserts the missing jobs of these kinds. If two processes insert one at once, the younger supersedes the older.
 * Jobs that tidy begin after a minute, the others at once.
 */
export async function beginRepeating(
  pool: Pool,
  clock: Clock,
  { at_once, tidying }: { at_once: readonly string[]; tidying: readonly string[] },
): Promise<void> {
  const kinds = [...at_once, ...tidying];
  const later = new Date(clock.nowMs() + tidyAfterMs);
  const times = [...at_once.map(() => clock.now()), ...tidying.map(() => later)];
  await insertMissing(pool, [kinds, kinds.map(groupOf), times]);
}

/** The job belongs to no tenant, so its kind is its group. */
function groupOf(kind: string): string {
  return createHash('md5').update(kind).digest('hex');
}
