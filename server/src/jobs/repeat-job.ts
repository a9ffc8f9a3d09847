import { createHash } from 'node:crypto';
import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Clock } from '../process/clock.ts';
import { holdLease } from './hold-lease.ts';
import type { JobHandler } from './job.ts';
import { retry } from './queries.ts';
import { supersede } from './supersede.ts';

interface RepeatJob {
  kind: string;
  every_seconds: number;
  /** May take long, and begins anew after a crash. */
  perform(): Promise<void>;
}

interface Needs {
  pool: Pool;
  clock: Clock;
  lease_seconds: number;
}

/**
 * Work that comes again and again for the service as a whole, on the clock: one job that puts itself off. The time counts
 * from the beginning of a run: what the clock made due meanwhile is done at once.
 */
export function repeatJob(
  { pool, clock, lease_seconds }: Needs,
  { kind, every_seconds, perform }: RepeatJob,
): JobHandler {
  return {
    kind,
    concurrency: 1,
    group_concurrency: 1,
    async run(job) {
      if (!(await supersede(pool, job))) return { type: 'done' };
      const run_at = new Date(clock.nowMs() + every_seconds * 1000);
      await holdLease(pool, job, lease_seconds, perform);
      await retry(pool, [{ job, run_at, failed: false }]);
      return { type: 'finished' };
    },
  };
}

const insertMissing = statement(`
  insert into jobs (kind, group_id, payload, run_at)
  select k.kind, k.group_id, '', $3 from unnest($1::text[], $2::uuid[]) as k (kind, group_id)
  where not exists (select from jobs j where j.kind = k.kind)`);

/** Makes the jobs of these kinds where they are missing; two that begin together leave one, as the younger supersedes. */
export async function beginRepeating(pool: Pool, clock: Clock, kinds: readonly string[]): Promise<void> {
  await insertMissing(pool, [kinds, kinds.map(groupOf), clock.now()]);
}

/** Such a job belongs to no tenant: its kind is a group of its own. */
function groupOf(kind: string): string {
  return createHash('md5').update(kind).digest('hex');
}
