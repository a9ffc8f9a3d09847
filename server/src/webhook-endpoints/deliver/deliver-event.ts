import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@majlis/contract';
import { coalesce } from '../../concurrency/batch.ts';
import { groupCommit } from '../../database/group-commit.ts';
import { whenDatabaseIsBack } from '../../database/when-database-is-back.ts';
import { deliverEvent, readAttemptRef } from '../../events/delivery-job.ts';
import { backoffMs } from '../../jobs/backoff.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { retry } from '../../jobs/queries.ts';
import type { Resources } from '../../process/resources.ts';
import { isDelivered } from '../rules.ts';
import { type Attempt, beginAttempts } from './begin-attempts.ts';
import { createPace } from './pace-attempts.ts';
import { postEvent } from './post-event.ts';
import { createRecordAttempts } from './record-attempts.ts';

const concurrency = 512;
// Of these an endpoint that hangs can hold so many, until it is known to be in trouble and has one.
const group_concurrency = 16;
// The time of an attempt, and what it takes to begin and to record it.
const lease_seconds = limits.webhook.timeout_seconds + 10;

/**
 * Makes one attempt to deliver an event to an endpoint: at least once, so one that was cut off is recorded as such and
 * made again. Each attempt has a job of its own, which ends in the transaction that records the attempt.
 */
export function deliverEventHandler(resources: Resources): JobHandler {
  const { pool, clock, log, metrics, hostCalls } = resources;
  const pace = createPace({ places: concurrency / 2, calls: hostCalls });
  const begin = coalesce((jobs: Job[]) => beginAttempts(pool, jobs), { concurrency: 2 });
  const record = createRecordAttempts(resources);
  const giveBack = groupCommit(
    pool,
    async (tx, jobs: Job[]) => {
      await retry(
        tx,
        jobs.map((job) => ({ job, run_at: job.run_at, failed: false, interrupted: job.started_at !== null })),
      );
      return jobs;
    },
    { tenant_of: ({ group_id }) => group_id },
  );

  async function run(job: Job): Promise<JobOutcome> {
    const place = readAttemptRef(job.payload);
    if (!pace.enter(place)) {
      await giveBack(job);
      return { type: 'finished' };
    }
    try {
      return await attemptOnce(job);
    } finally {
      pace.leave(place);
    }
  }

  async function attemptOnce(job: Job): Promise<JobOutcome> {
    const wasBegun = job.started_at;
    const attempt = await beginOrWait(job);
    if (attempt === 'wait') return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)) };
    if (attempt === 'gone') return keep(() => record.gone(job, readAttemptRef(job.payload)));
    if (wasBegun) return recordInterrupted(job, attempt, wasBegun);
    if (!attempt.is_wanted) return keep(() => record.unwanted({ job, attempt }));
    const wait_ms = pace.turnOf(attempt);
    if (wait_ms > 0) await pause(wait_ms);
    const delivered_at = clock.now();
    const outcome = await postEvent(resources, attempt);
    const is_delivered = isDelivered(outcome.response_status);
    pace.tell(attempt.endpoint_id, is_delivered);
    metrics.webhookAttempts.inc({ outcome: is_delivered ? 'delivered' : 'failed' });
    return keep(() => record.made({ job, attempt, outcome, delivered_at, interrupted: false }));
  }

  /** `wait`: no call was made, so trying again is no second attempt. */
  async function beginOrWait(job: Job): Promise<Attempt | 'gone' | 'wait'> {
    try {
      return await begin(job);
    } catch (error) {
      if (job.started_at) throw error;
      log.warn({ err: error, job_id: job.id }, 'an attempt could not begin');
      return 'wait';
    }
  }

  /** Its process ended while it was under way: whether the receiver has the event, nobody knows. */
  function recordInterrupted(job: Job, attempt: Attempt, delivered_at: Date): Promise<JobOutcome> {
    metrics.webhookAttempts.inc({ outcome: 'interrupted' });
    const outcome = { response_status: null, duration_ms: null, reason: 'the attempt was interrupted' };
    return keep(() => record.made({ job, attempt, outcome, delivered_at, interrupted: true }));
  }

  /** What became of an attempt is known here alone, so it is not let go when the database is away for a while. */
  function keep(work: () => Promise<JobOutcome>): Promise<JobOutcome> {
    return whenDatabaseIsBack(work, lease_seconds * 1000);
  }

  const { narrowed } = pace;
  return { kind: deliverEvent, starts_at_claim: true, concurrency, group_concurrency, lease_seconds, narrowed, run };
}
