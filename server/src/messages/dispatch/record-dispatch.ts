import { setFault } from '../../channels/queries.ts';
import { learnIdentities } from '../../contacts/write/learn-identities.ts';
import { groupCommit } from '../../database/group-commit.ts';
import { transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Job, JobOutcome } from '../../jobs/job.ts';
import { finish, retry } from '../../jobs/queries.ts';
import { describeError } from '../../platform/describe-error.ts';
import type { SendOutcome } from '../../platform/types.ts';
import type { Resources } from '../../process/resources.ts';
import { expireUnknownOutcomeJob, type MessageRef } from '../jobs.ts';
import { adoptPlatformIds, setOutcomeUnknown } from '../queries.ts';
import { advanceStatuses } from '../receive/advance-statuses.ts';
import type { Dispatch } from './begin-dispatches.ts';
import { createChannelTroubles } from './channel-troubles.ts';
import { decideRetry, faultPauseMs, troublePauseMs } from './decide-retry.ts';

type Accepted = Extract<SendOutcome, { type: 'accepted' }>;
type Refused = Extract<SendOutcome, { type: 'refused' }>;
type Unreachable = Extract<SendOutcome, { type: 'unreachable' }>;

/** Records what became of a call to the platform, together with the end of its job or the promise to try again. */
export function createRecordDispatch({ pool, clock, config }: Resources) {
  const finished: JobOutcome = { type: 'finished' };
  const troubles = createChannelTroubles({ pool, clock });

  // That the platform took a message is recorded whoever holds the job by now: it happened.
  const recordAccepted = groupCommit(
    pool,
    async (tx, calls: { job: Job; dispatch: Dispatch; outcome: Accepted }[]) => {
      // Identities before messages, as where notifications are worked through.
      await Promise.all([
        learnIdentities(tx, calls.flatMap(learned)),
        adoptPlatformIds(
          tx,
          calls.map(({ dispatch, outcome }) => ({ ...dispatch, platform_message_id: outcome.platform_message_id })),
        ),
        finish(
          tx,
          calls.map(({ job }) => job),
        ),
      ]);
      return calls.map(() => finished);
    },
    { concurrency: 2, tenant_of: ({ job }) => job.group_id },
  );

  const recordFailed = groupCommit(
    pool,
    async (tx, calls: { job: Job; dispatch: Dispatch; error: string }[]) => {
      const reports = calls.map(({ dispatch, error }) => ({
        workspace_id: dispatch.workspace_id,
        channel_id: dispatch.channel_id,
        message_id: dispatch.id,
        status: 'failed' as const,
        error,
      }));
      await advanceStatuses(tx, clock, reports);
      await finish(
        tx,
        calls.map(({ job }) => job),
      );
      return calls.map(() => finished);
    },
    { tenant_of: ({ job }) => job.group_id },
  );

  async function tryAgain(job: Job, dispatch: Dispatch, outcome: Refused | Unreachable, error: string) {
    const age_ms = clock.nowMs() - dispatch.created_at.getTime();
    const { failures } = job;
    const decision = decideRetry(outcome, { failures, pauses: troubles.pausesOf(dispatch.channel_id), age_ms });
    // A clear no is an answer: the platform is there.
    if (outcome.type === 'refused' && outcome.retry === 'never') troubles.end(dispatch.channel_id);
    if (decision.type === 'fail') return recordFailed({ job, dispatch, error });
    if (decision.type === 'pause') await troubles.pause(dispatch.channel_id, decision.pause_ms);
    const run_at = decision.type === 'delay' ? new Date(clock.nowMs() + decision.delay_ms) : job.run_at;
    await retry(pool, [{ job, run_at, failed: true }]);
    return finished;
  }

  return {
    narrowed: troubles.narrowed,

    async accepted(job: Job, dispatch: Dispatch, outcome: Accepted): Promise<JobOutcome> {
      troubles.end(dispatch.channel_id);
      await recordAccepted({ job, dispatch, outcome });
      if (dispatch.fault) await setFault(pool, dispatch, null, null);
      return finished;
    },

    /** Refused by ourselves, before any call. */
    failed: (job: Job, dispatch: Dispatch, error: string) => recordFailed({ job, dispatch, error }),

    async refused(job: Job, dispatch: Dispatch, outcome: Refused): Promise<JobOutcome> {
      const error = describeError(outcome.error);
      if (outcome.channel_fault) {
        // Until then its messages fail at once.
        const until = new Date(clock.nowMs() + faultPauseMs);
        await setFault(pool, dispatch, error, until);
      }
      return tryAgain(job, dispatch, outcome, error);
    },

    unreachable: (job: Job, dispatch: Dispatch, outcome: Unreachable) =>
      tryAgain(job, dispatch, outcome, `The platform could not be reached: ${outcome.reason}`),

    /** Never sent again: a status that echoes the message's id ends the wait, or the reconcile window does. */
    async unknown(job: Job, channel_id: string, ref: MessageRef, isTrouble: boolean): Promise<JobOutcome> {
      const until = new Date(clock.nowMs() + config.unknownOutcomeSeconds * 1000);
      await transaction(pool, async (tx) => {
        if ((await finish(tx, [job])) === 0) return;
        await setOutcomeUnknown(tx, ref.workspace_id, ref.message_id);
        await enqueueJobs(tx, [expireUnknownOutcomeJob(ref, channel_id, until)]);
      });
      // A platform that hangs would hold every place of this channel for the length of its timeout.
      if (isTrouble) await troubles.pause(channel_id, troublePauseMs(troubles.pausesOf(channel_id)));
      return finished;
    },
  };
}

function learned({ dispatch, outcome }: { dispatch: Dispatch; outcome: Accepted }) {
  const { workspace_id, channel_type, identifier, wa_id } = dispatch;
  if (!identifier || wa_id || !outcome.wa_id) return [];
  return [{ workspace_id, channel_type, identifier, wa_id: outcome.wa_id, user_id: outcome.user_id }];
}
