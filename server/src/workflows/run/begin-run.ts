import { type BeginRun, beginRun, readBeginRun } from '../../automation/jobs.ts';
import { type LockedConversation, lockConversation } from '../../conversations/queries.ts';
import { newId, publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { Outdated, separateTransaction, type Transaction } from '../../database/transaction.ts';
import { pauseGroup } from '../../jobs/groups.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish, retry } from '../../jobs/queries.ts';
import { sharePlacesOfHandler } from '../../jobs/share-places-of-handler.ts';
import type { Resources } from '../../process/resources.ts';
import { readTrigger } from '../definition/read-trigger.ts';
import { findLatestConversation } from '../steps/ensure-conversation.ts';
import { advanceRun } from './advance-run.ts';
import { ConditionEvaluator } from './evaluate-conditions.ts';
import { orTooLong } from './expand.ts';
import { isReplyMissing } from './is-reply-missing.ts';
import { findChainFault, findMinuteEnd, readRunLimits } from './limit-runs.ts';
import { loadProgram } from './load-program.ts';
import { lockRunContact } from './lock-run.ts';
import { newRun, setStart } from './new-run.ts';
import { readContactScope } from './read-scope.ts';
import { findWorkflow, hasRunningRun, insertRun } from './run-queries.ts';

/**
 * Starts a published workflow for an event if its conditions hold, and performs the first steps. All of it commits with
 * the end of the job. Of two workflows that one message starts, the second sees the effects of the first.
 */
export function beginRunHandler({ pool, clock, config, log }: Resources): JobHandler {
  const limits = readRunLimits(config);

  async function run(job: Job): Promise<JobOutcome> {
    if (job.failures >= maxFailures) return { type: 'done' };
    const event = readBeginRun(job.payload);
    await separateTransaction(pool, event.workspace_id, async (tx) => {
      if (await waitForMinute(tx, job)) return;
      const target = await lockTarget(tx, event);
      if ((await finish(tx, [job])) === 0 || !target) return;
      await begin(tx, event, target);
    });
    return { type: 'finished' };
  }

  /** Leaves the starts of a workspace to the next minute, where it has started all runs of this one. */
  async function waitForMinute(tx: Transaction, job: Job): Promise<boolean> {
    const { group_id: workspace_id, run_at } = job;
    const end = await findMinuteEnd(tx, limits, { workspace_id, now: clock.now() });
    if (!end) return false;
    log.warn({ workspace_id: publicId('workspace', workspace_id), until: end }, 'starts of workflows wait');
    await pauseGroup(tx, beginRun, workspace_id, end);
    await retry(tx, [{ job, run_at, failed: false }]);
    return true;
  }

  async function begin(tx: Transaction, event: BeginRun, { contact_id, conversation }: LockedTarget): Promise<void> {
    const { workspace_id, workflow_id, depth, root_run_id } = event;
    const workflow = await findWorkflow(tx, workspace_id, { id: workflow_id });
    if (workflow?.status !== 'published' || workflow.version === 0) return;
    // A bot has taken control since the event: it answers.
    if (workflow.trigger === 'message_received' && conversation?.controller === 'bot') return;
    if (workflow.trigger === 'no_reply' && !(await isReplyMissing(tx, event))) return;
    const trigger = await readTrigger(tx, workflow.trigger, event);
    const conversation_id = conversation?.id ?? null;
    const { version } = workflow;
    const ids = { workspace_id, workflow_id, version, contact_id, conversation_id };
    const run = newRun(newId(clock), { ...ids, depth, root_run_id, trigger });
    const program = await loadProgram(tx, run);
    const contact = program.when.length > 0 ? await readContactScope(tx, workspace_id, contact_id) : {};
    const holds = orTooLong(() => new ConditionEvaluator({ trigger, contact }).allHold(program.when));
    if (holds === false) return;
    if (await hasRunningRun(tx, run)) return;
    // A start that cannot be decided is told by a failed run, as one beyond the bounds of a chain is.
    const fault =
      holds === true ? await findChainFault(tx, limits, run) : { reason: holds.message, is_repeated: false };
    if (fault) {
      log.warn({ workspace_id: publicId('workspace', workspace_id), reason: fault.reason }, 'a run is not started');
      // One failed run tells of all further ones.
      if (fault.is_repeated) return;
      return insertRun(tx, { ...run, status: 'failed', reason: fault.reason }, clock.now());
    }
    setStart(run, program);
    await insertRun(tx, run, clock.now());
    const { status: workflow_status } = workflow;
    const state = { run, program, workflow_status, is_blocked: false, conversation };
    await advanceRun({ tx, clock, limits, ...state, timer: undefined, steps: [] });
  }

  return sharePlacesOfHandler(pool, { kind: beginRun, concurrency: 64, group_concurrency: 16, run });
}

const maxFailures = 8;

interface LockedTarget {
  contact_id: string;
  conversation: LockedConversation | undefined;
}

const selectContactId = statement<{ contact_id: string | null }>(`
  select contact_id from conversations where workspace_id = $1 and id = $2`);

/** Locks the contact and the conversation. Undefined if they are gone or the contact is blocked. */
async function lockTarget(tx: Transaction, { workspace_id, ...event }: BeginRun): Promise<LockedTarget | undefined> {
  // The conversation names the current contact: a merge may have changed it, and an erasure removes it.
  const [owner] = event.conversation_id ? await selectContactId(tx, [workspace_id, event.conversation_id]) : [];
  const contact_id = owner?.contact_id ?? event.contact_id;
  const contact = contact_id ? await lockRunContact(tx, workspace_id, contact_id) : undefined;
  if (owner?.contact_id && !contact) throw new Outdated('a contact was erased or merged into another');
  if (!contact_id || !contact || contact.blocked) return undefined;
  const id = event.conversation_id ?? (await findLatestConversation(tx, workspace_id, contact_id));
  return { contact_id, conversation: id ? await lockConversation(tx, workspace_id, id) : undefined };
}
