import type { Pool } from '../../database/pool.ts';
import { pauseGroup } from '../../jobs/groups.ts';
import type { Job, JobOutcome } from '../../jobs/job.ts';
import { retry } from '../../jobs/queries.ts';

/**
 * Gives a job back until the platform may answer for its account. All jobs of its kind and channel wait with it, so that
 * one call shows whether the rest can follow: the platform counts the calls of an account.
 */
export async function waitForPlatform(pool: Pool, job: Job, until: Date): Promise<JobOutcome> {
  await pauseGroup(pool, job.kind, job.group_id, until);
  await retry(pool, [{ job, run_at: job.run_at, failed: true }]);
  return { type: 'finished' };
}
