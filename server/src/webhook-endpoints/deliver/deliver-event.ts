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
import { createAttemptLimiter } from './limit-attempts.ts';
import { postEvent } from './post-event.ts';
import { createRecordAttempts } from './record-attempts.ts';

const concurrency = 512;
// A hanging endpoint can hold this many, until its failures limit it to one.
const group_concurrency = 16;
// The attempt, with 10 s to begin and record it.
const lease_seconds = limits.webhook.timeout_seconds + 10;
// Most turns come sooner, and their attempts pay for no second look-up.
const freshMs = 1_000;

/**
 * Makes one attempt to deliver an event. Delivery is at least once: an interrupted attempt is recorded as such and repeated.
 * Each attempt has its own job, which ends in the transaction that records the attempt.
 */
export function deliverEventHandler(resources: Resources): JobHandler {
  const { pool, clock, log, metrics, hostCalls } = resources;
  const limiter = createAttemptLimiter({ slots: concurrency, calls: hostCalls });
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
    const ref = readAttemptRef(job.payload);
    if (!limiter.acquire(ref)) {
      await giveBack(job);
      return { type: 'finished' };
    }
    try {
      return await attemptOnce(job);
    } finally {
      limiter.release(ref);
    }
  }

  async function attemptOnce(job: Job): Promise<JobOutcome> {
    const wasBegun = job.started_at;
    const attempt = await beginAtTurn(job);
    if (attempt === 'wait') return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)) };
    if (attempt === 'gone') return keep(() => record.gone(job, readAttemptRef(job.payload)));
    if (wasBegun) return recordInterrupted(job, attempt, wasBegun);
    if (!attempt.is_wanted) return keep(() => record.unwanted({ job, attempt }));
    const made_at = clock.now();
    const outcome = await postEvent(resources, attempt);
    const is_delivered = isDelivered(outcome.response_status);
    limiter.recordOutcome(attempt.endpoint_id, is_delivered);
    metrics.webhookAttempts.inc({ outcome: is_delivered ? 'delivered' : 'failed' });
    return keep(() => record.made({ job, attempt, outcome, made_at, interrupted: false }));
  }

  /** The endpoint may have got another secret while the attempt waited for its turn, or have been disabled or deleted. */
  async function beginAtTurn(job: Job): Promise<Attempt | 'gone' | 'wait'> {
    const attempt = await beginOrWait(job);
    if (typeof attempt === 'string' || job.started_at || !attempt.is_wanted) return attempt;
    const asked_ms = performance.now();
    await limiter.takeTurn(attempt);
    if (performance.now() - asked_ms < freshMs) return attempt;
    const again = await beginOrWait(job);
    // The turn was one at the host of the address before.
    return typeof again === 'object' && again.is_wanted && again.url !== attempt.url ? 'wait' : again;
  }

  /** `wait`: no call was made, so a retry is no second attempt. */
  async function beginOrWait(job: Job): Promise<Attempt | 'gone' | 'wait'> {
    try {
      return await begin(job);
    } catch (error) {
      if (job.started_at) throw error;
      log.warn({ err: error, job_id: job.id }, 'an attempt could not begin');
      return 'wait';
    }
  }

  /** The process ended during the attempt, so it is unknown whether the receiver has the event. */
  function recordInterrupted(job: Job, attempt: Attempt, made_at: Date): Promise<JobOutcome> {
    metrics.webhookAttempts.inc({ outcome: 'interrupted' });
    const outcome = { response_status: null, duration_ms: null, reason: 'the attempt was interrupted' };
    return keep(() => record.made({ job, attempt, outcome, made_at, interrupted: true }));
  }

  /** Only this process knows the outcome, so it waits for the database to return. */
  function keep(work: () => Promise<JobOutcome>): Promise<JobOutcome> {
    return whenDatabaseIsBack(work, lease_seconds * 1000);
  }

  const { narrowed, workspacePlaces: tenantPlaces } = limiter;
  const places = { concurrency, group_concurrency, narrowed, tenantPlaces };
  return { kind: deliverEvent, starts_at_claim: true, lease_seconds, ...places, run };
}
