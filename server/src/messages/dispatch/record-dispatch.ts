import { setFault } from '../../channels/queries.ts';
import { learnIdentities } from '../../contacts/write/learn-identities.ts';
import { groupCommit } from '../../database/group-commit.ts';
import { transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Job, JobOutcome } from '../../jobs/job.ts';
import { finish, retry } from '../../jobs/queries.ts';
import { describePlatformError } from '../../platform/describe-error.ts';
import type { SendOutcome } from '../../platform/send-outcome.ts';
import type { Resources } from '../../process/resources.ts';
import { expireUnknownOutcomeJob, type MessageRef, readMessageRef } from '../jobs.ts';
import { adoptPlatformIds, setOutcomeUnknown } from '../queries.ts';
import { advanceStatuses } from '../receive/advance-statuses.ts';
import type { Dispatch } from './begin-dispatches.ts';
import { createChannelPauses } from './channel-pauses.ts';
import { channelPauseMs, countRefusal, decideRetry, faultPauseMs } from './decide-retry.ts';

type Accepted = Extract<SendOutcome, { type: 'accepted' }>;
type Refused = Extract<SendOutcome, { type: 'refused' }>;
type Unreachable = Extract<SendOutcome, { type: 'unreachable' }>;

/** Records the outcome of a call to the platform, together with the end of its job or the next try. */
export function createRecordDispatch({ pool, clock, config }: Resources) {
  const finished: JobOutcome = { type: 'finished' };
  const pauses = createChannelPauses({ pool, clock });

  // Recorded even where another process has the job by now: the platform did accept the message.
  const recordAccepted = groupCommit(
    pool,
    async (tx, calls: { job: Job; dispatch: Dispatch; outcome: Accepted }[]) => {
      const identities = calls.flatMap(reportedIdentity);
      const ids = calls.map(({ dispatch: { workspace_id, id, dispatched_at }, outcome: { platform_message_id } }) => {
        return { workspace_id, id, platform_message_id, dispatched_at, accepted_at: clock.now() };
      });
      const jobs = calls.map(({ job }) => job);
      // Identities are locked before messages, as for notifications.
      await Promise.all([learnIdentities(tx, identities), adoptPlatformIds(tx, ids), finish(tx, jobs)]);
      return calls.map(() => finished);
    },
    { concurrency: 2, tenant_of: ({ job }) => job.group_id },
  );

  const recordFailed = groupCommit(
    pool,
    async (tx, calls: { job: Job; dispatch: Dispatch; error: string }[]) => {
      const reports = calls.map(({ dispatch: { workspace_id, channel_id, id, dispatched_at }, error }) => {
        return { workspace_id, channel_id, message_id: id, status: 'failed' as const, error, dispatched_at };
      });
      const jobs = calls.map(({ job }) => job);
      await advanceStatuses(tx, clock, reports);
      await finish(tx, jobs);
      return calls.map(() => finished);
    },
    { tenant_of: ({ job }) => job.group_id },
  );

  async function tryAgain(job: Job, dispatch: Dispatch, outcome: Refused | Unreachable, error: string) {
    const age_ms = clock.nowMs() - dispatch.created_at.getTime();
    const ref = readMessageRef(job.payload);
    const { refusals = { doubtful: 0, pair_limit: 0 } } = ref;
    const decision = decideRetry(outcome, { refusals, pauses: pauses.pausesOf(dispatch.channel_id), age_ms });
    // A final refusal is an answer: the channel works.
    if (outcome.type === 'refused' && outcome.retry === 'never') pauses.end(dispatch.channel_id);
    if (decision.type === 'fail') return recordFailed({ job, dispatch, error });
    if (decision.type === 'pause') await pauses.pause(dispatch.channel_id, decision.pause_ms);
    const run_at = decision.type === 'delay' ? new Date(clock.nowMs() + decision.delay_ms) : job.run_at;
    const payload = JSON.stringify({ ...ref, refusals: countRefusal(refusals, outcome) } satisfies MessageRef);
    await retry(pool, [{ job, run_at, failed: true, payload }]);
    return finished;
  }

  return {
    narrowed: pauses.narrowed,

    async accepted(job: Job, dispatch: Dispatch, outcome: Accepted): Promise<JobOutcome> {
      pauses.end(dispatch.channel_id);
      await recordAccepted({ job, dispatch, outcome });
      if (dispatch.fault) await transaction(pool, (tx) => setFault(tx, clock, dispatch, null, null));
      return finished;
    },

    /** The service refused the message before any call. */
    failed: (job: Job, dispatch: Dispatch, error: string) => recordFailed({ job, dispatch, error }),

    async refused(job: Job, dispatch: Dispatch, outcome: Refused): Promise<JobOutcome> {
      const error = describePlatformError(outcome.error);
      if (outcome.channel_fault) {
        // During the fault its messages fail at once.
        const until = new Date(clock.nowMs() + faultPauseMs);
        await transaction(pool, (tx) => setFault(tx, clock, dispatch, error, until));
      }
      return tryAgain(job, dispatch, outcome, error);
    },

    unreachable: (job: Job, dispatch: Dispatch, outcome: Unreachable) =>
      tryAgain(job, dispatch, outcome, `The platform could not be reached: ${outcome.reason}`),

    /** Never sent again: a status with the message's id ends the wait, or else the reconcile window. */
    async unknown(job: Job, channel_id: string, ref: MessageRef, pausesChannel: boolean): Promise<JobOutcome> {
      const until = new Date(clock.nowMs() + config.unknownOutcomeSeconds * 1000);
      await transaction(pool, async (tx) => {
        if ((await finish(tx, [job])) === 0) return;
        await setOutcomeUnknown(tx, ref.workspace_id, ref.message_id);
        await enqueueJobs(tx, [expireUnknownOutcomeJob(ref, channel_id, until)]);
      });
      // Calls that hang would occupy the whole concurrency of this channel for a timeout.
      if (pausesChannel) await pauses.pause(channel_id, channelPauseMs(pauses.pausesOf(channel_id)));
      return finished;
    },
  };
}

function reportedIdentity({ dispatch, outcome }: { dispatch: Dispatch; outcome: Accepted }) {
  const { workspace_id, channel_type, waba_id, identifier, wa_id } = dispatch;
  if (!identifier || wa_id || !outcome.wa_id) return [];
  return [{ workspace_id, channel_type, identifier, wa_id: outcome.wa_id, user_id: outcome.user_id, waba_id }];
}
