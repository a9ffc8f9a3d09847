import { groupCommit } from '../../database/group-commit.ts';
import { type Transaction, transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Job, JobOutcome } from '../../jobs/job.ts';
import { finish, finishHeld } from '../../jobs/queries.ts';
import type { Resources } from '../../process/resources.ts';
import { deliverEventJob } from '../jobs.ts';
import { type AttemptOutcome, type DueAttempt, dropWaiting, hold, insertDueAttempts, recordMade } from '../queries.ts';
import { isDelivered, retryAt } from '../rules.ts';
import { type Attempt, keyOf } from './begin-attempts.ts';
import { countAttempts } from './count-attempts.ts';

interface Ended {
  job: Job;
  attempt: Attempt;
}

/** An attempt that was made, or was under way when its process ended. */
interface Made extends Ended {
  outcome: AttemptOutcome;
  delivered_at: Date;
  /** It broke off in the middle: it is followed by another at once, in the same place of the schedule. */
  interrupted: boolean;
}

/** Records what became of attempts, many in one transaction, together with the end of their jobs and what follows. */
export function createRecordAttempts({ pool, clock }: Pick<Resources, 'pool' | 'clock'>) {
  const finished: JobOutcome = { type: 'finished' };

  // That an attempt was made is recorded whoever holds its job by now; only who holds it says what follows.
  const made = groupCommit(
    pool,
    async (tx, ended: Made[]) => {
      // In one round trip, and in the order in which their rows are locked everywhere.
      const [{ disabled }, , held] = await Promise.all([
        countAttempts(tx, clock, ended.filter(({ interrupted }) => !interrupted).map(toCount)),
        recordMade(tx, ended.map(toMade)),
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
      await hold(
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
    /** Not attempted, because the endpoint wants none. */
    unwanted: (ended: Ended) => unwanted(ended),
    /** Not attempted, because the event was erased. */
    async gone(job: Job, ref: DueAttempt | ReturnType<typeof refOf>): Promise<JobOutcome> {
      await transaction(pool, async (tx) => {
        await dropWaiting(tx, [ref]);
        await finish(tx, [job]);
      });
      return finished;
    },
  };
}

/** A replay that came in between goes before: what it follows is not tried again by itself. */
async function enqueueNext(tx: Transaction, next: readonly { due: DueAttempt; run_at: Date }[]): Promise<void> {
  const moments = new Map(next.map(({ due, run_at }) => [keyOf(due), run_at]));
  const inserted = await insertDueAttempts(
    tx,
    next.map(({ due }) => due),
  );
  await enqueueJobs(
    tx,
    inserted.map((ref) => deliverEventJob(ref, moments.get(keyOf(ref))!)),
  );
}

function refOf({ workspace_id, event_id, endpoint_id, attempt }: DueAttempt) {
  return { workspace_id, event_id, endpoint_id, attempt };
}

function toMade({ attempt, outcome, delivered_at }: Made) {
  return { ...refOf(attempt), ...outcome, delivered_at };
}

function toCount({ attempt, outcome, delivered_at }: Made) {
  const { workspace_id, endpoint_id, term } = attempt;
  return { workspace_id, endpoint_id, term, at: delivered_at, is_delivered: isDelivered(outcome.response_status) };
}
