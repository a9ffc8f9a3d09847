import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import { holdLease } from './hold-lease.ts';
import type { Job, JobOutcome } from './job.ts';
import { finish, retry } from './queries.ts';

interface JobSteps {
  /** The number of steps of the whole job. */
  count: number;
  /** The steps of one run. The job then waits until the other groups had their turn. */
  at_once: number;
  lease_seconds: number;
  /** Performs a step, counted from 0. */
  perform(tx: Transaction, step: number): Promise<void>;
}

const countStep = statement<{ id: number }>(`
  update jobs set steps_done = $3 where id = $1 and attempts = $2 returning id`);

/**
 * Runs the steps of a job that are left, each in a transaction of its own, and ends the job with the last one. A step and its
 * count commit together, fenced by the claim: a crash at any moment neither repeats nor omits a step.
 */
export function runSteps(pool: Pool, job: Job, steps: JobSteps): Promise<JobOutcome> {
  return holdLease(pool, job, steps.lease_seconds, () => runHeld(pool, job, steps));
}

async function runHeld(pool: Pool, job: Job, { count, at_once, perform }: JobSteps): Promise<JobOutcome> {
  const finished: JobOutcome = { type: 'finished' };
  if (job.steps_done >= count) return { type: 'done' };
  const end = Math.min(count, job.steps_done + at_once);
  for (let step = job.steps_done; step < end; step++) {
    const isHeld = await transaction(pool, async (tx) => {
      if ((await countStep(tx, [job.id, job.attempts, step + 1])).length === 0) return false;
      await perform(tx, step);
      if (step + 1 === count) await finish(tx, [job]);
      return true;
    });
    if (!isHeld) return finished;
  }
  if (end < count) await retry(pool, [{ job, run_at: job.run_at, failed: false }]);
  return finished;
}
