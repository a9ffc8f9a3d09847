import { type BeginRun, beginRun, readBeginRun } from '../../automation/jobs.ts';
import { type LockedConversation, lockConversation } from '../../conversations/queries.ts';
import { newId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { Outdated, type Transaction, transaction } from '../../database/transaction.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish } from '../../jobs/queries.ts';
import type { Resources } from '../../process/resources.ts';
import { readTrigger } from '../definition/read-trigger.ts';
import { findLatestConversation } from '../steps/ensure-conversation.ts';
import { deepest, tooDeep } from '../steps/flow-steps.ts';
import { hold } from './conditions.ts';
import { isReplyMissing } from './is-reply-missing.ts';
import { loadProgram } from './load-program.ts';
import { moveRun } from './move-run.ts';
import { lockRunsContact } from './moving-run.ts';
import { newRun, setOff } from './new-run.ts';
import { readContactScope } from './read-scope.ts';
import { findWorkflow, insertRun, isUnderWay } from './run-queries.ts';

/**
 * Starts a workflow for what happened, if it is published still and its conditions hold, and performs its first steps:
 * one commit with the end of the job. Of two workflows that the same message starts the second finds what the first did.
 */
export function beginRunHandler({ pool, clock }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    if (job.failures >= mostFailures) return { type: 'done' };
    await transaction(pool, async (tx) => {
      const happened = readBeginRun(job.payload);
      const place = await holdPlace(tx, happened);
      if ((await finish(tx, [job])) === 0 || !place) return;
      await begin(tx, happened, place);
    });
    return { type: 'finished' };
  }

  async function begin(tx: Transaction, happened: BeginRun, { contact_id, conversation }: Place): Promise<void> {
    const { workspace_id, workflow_id, depth } = happened;
    const workflow = await findWorkflow(tx, workspace_id, { id: workflow_id });
    if (workflow?.status !== 'published' || workflow.version === 0) return;
    // A bot that took control meanwhile is the one to answer.
    if (workflow.trigger === 'message_received' && conversation?.controller === 'bot') return;
    if (workflow.trigger === 'no_reply' && !(await isReplyMissing(tx, happened))) return;
    const trigger = await readTrigger(tx, workflow.trigger, happened);
    const of = { workspace_id, workflow_id, version: workflow.version };
    const conversation_id = conversation?.id ?? null;
    const run = newRun(newId(clock), { ...of, contact_id, conversation_id, depth, trigger });
    const program = await loadProgram(tx, run);
    const contact = program.when.length > 0 ? await readContactScope(tx, workspace_id, contact_id) : {};
    if (!hold(program.when, { trigger, contact })) return;
    if (await isUnderWay(tx, run)) return;
    if (depth > deepest) return insertRun(tx, { ...run, status: 'failed', reason: tooDeep }, clock.now());
    setOff(run, program);
    await insertRun(tx, run, clock.now());
    await moveRun({ tx, clock, run, program, is_blocked: false, conversation, timer: undefined, steps: [] });
  }

  return { kind: beginRun, concurrency: 32, group_concurrency: 16, run };
}

const mostFailures = 8;

interface Place {
  contact_id: string;
  conversation: LockedConversation | undefined;
}

const contactOf = statement<{ contact_id: string }>(`
  select contact_id from conversations where workspace_id = $1 and id = $2`);

/** Takes hold of the contact and the conversation; undefined where they are gone, or the contact is blocked. */
async function holdPlace(tx: Transaction, { workspace_id, ...happened }: BeginRun): Promise<Place | undefined> {
  // By the conversation where there is one: a merge gives it to another contact.
  const [of] = happened.conversation_id ? await contactOf(tx, [workspace_id, happened.conversation_id]) : [];
  const contact_id = of?.contact_id ?? happened.contact_id;
  const contact = contact_id ? await lockRunsContact(tx, workspace_id, contact_id) : undefined;
  if (of && !contact) throw new Outdated('a contact was erased or merged into another');
  if (!contact_id || !contact || contact.blocked) return undefined;
  const id = happened.conversation_id ?? (await findLatestConversation(tx, workspace_id, contact_id));
  return { contact_id, conversation: id ? await lockConversation(tx, workspace_id, id) : undefined };
}
