import { groupCommit } from '../../database/group-commit.ts';
import { type Transaction, transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Job, JobOutcome } from '../../jobs/job.ts';
import { finish, finishHeld } from '../../jobs/queries.ts';
import type { Resources } from '../../process/resources.ts';
import { deliverEventJob } from '../jobs.ts';
import {
  type AttemptOutcome,
  type DueAttempt,
  dropWaiting,
  insertDue,
  markSkipped,
  recordAttempts,
} from '../queries.ts';
import { isDelivered, retryAt } from '../rules.ts';
import { type Attempt, attemptKey } from './begin-attempts.ts';
import { countAttempts } from './count-attempts.ts';

interface Ended {
  job: Job;
  attempt: Attempt;
}

/** An attempt that was made, or interrupted by the end of its process. */
interface Made extends Ended {
  outcome: AttemptOutcome;
  made_at: Date;
  /** An interrupted attempt repeats at once, at the same step of the schedule. */
  interrupted: boolean;
}

/** Records outcomes in batches: attempts, the end of their jobs and the next jobs in one transaction. */
export function createRecordAttempts({ pool, clock, log }: Pick<Resources, 'pool' | 'clock' | 'log'>) {
  const finished: JobOutcome = { type: 'finished' };

  // The attempt is recorded even after the lease was lost; only the holder of the lease enqueues the next.
  const made = groupCommit(
    pool,
    async (tx, ended: Made[]) => {
      // In one round trip, in the lock order used everywhere.
      const [{ disabled }, , held] = await Promise.all([
        countAttempts(tx, { clock, log }, ended.filter(({ interrupted }) => !interrupted).map(toCount)),
        recordAttempts(tx, ended.map(toMade)),
        finishHeld(
          tx,
          ended.map(({ job }) => job),
        ),
      ]);
      const next = ended.filter(({ job, attempt }) => held.has(job.id) && !disabled.has(attempt.endpoint_id));
      await enqueueNext(tx, next.flatMap(nextOf));
      return ended.map(() => finished);
    },
    { concurrency: 2, tenant_of: ({ attempt }) => attempt.workspace_id },
  );

  const unwanted = groupCommit(
    pool,
    async (tx, ended: Ended[]) => {
      await markSkipped(
        tx,
        ended.map(({ attempt }) => refOf(attempt)),
        clock.now(),
      );
      await finish(
        tx,
        ended.map(({ job }) => job),
      );
      return ended.map(() => finished);
    },
    { tenant_of: ({ attempt }) => attempt.workspace_id },
  );

  function nextOf({ attempt, outcome, interrupted }: Made): { due: DueAttempt; run_at: Date }[] {
    if (isDelivered(outcome.response_status)) return [];
    const run_at = interrupted ? clock.now() : retryAt(attempt.tries, clock.nowMs(), Math.random());
    if (!run_at) return [];
    const tries = interrupted ? attempt.tries : attempt.tries + 1;
    const { event_type, term } = attempt;
    return [{ due: { ...refOf(attempt), attempt: attempt.attempt + 1, event_type, term, tries }, run_at }];
  }

  return {
    made: (ended: Made) => made(ended),
    /** Not attempted: the endpoint is disabled or deleted, or a replay superseded the delivery. */
    unwanted: (ended: Ended) => unwanted(ended),
    /** Not attempted: the event was erased. */
    async gone(job: Job, ref: DueAttempt | ReturnType<typeof refOf>): Promise<JobOutcome> {
      await transaction(pool, async (tx) => {
        await dropWaiting(tx, [ref]);
        await finish(tx, [job]);
      });
      return finished;
    },
  };
}

/** A replay in between takes the next attempt number, so no retry is enqueued beside it. */
async function enqueueNext(tx: Transaction, next: readonly { due: DueAttempt; run_at: Date }[]): Promise<void> {
  const moments = new Map(next.map(({ due, run_at }) => [attemptKey(due), run_at]));
  const inserted = await insertDue(
    tx,
    next.map(({ due }) => due),
  );
  await enqueueJobs(
    tx,
    inserted.map((ref) => deliverEventJob(ref, moments.get(attemptKey(ref))!)),
  );
}

function refOf({ workspace_id, event_id, endpoint_id, attempt }: DueAttempt) {
  return { workspace_id, event_id, endpoint_id, attempt };
}

function toMade({ attempt, outcome, made_at }: Made) {
  return { ...refOf(attempt), ...outcome, made_at };
}

function toCount({ attempt, outcome, made_at }: Made) {
  const { workspace_id, endpoint_id, term } = attempt;
  const { response_status, reason } = outcome;
  const of = { workspace_id, endpoint_id, term, at: made_at };
  return { ...of, is_delivered: isDelivered(response_status), reason: reason ?? `answered ${response_status}` };
}
