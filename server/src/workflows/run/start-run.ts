import type { WorkflowRunStart } from '@majlis/contract';
import { continueRunJob } from '../../automation/jobs.ts';
import { readIdentities } from '../../contacts/read-contact.ts';
import { findOrCreateContacts } from '../../contacts/write/find-or-create-contacts.ts';
import { holdContact, refuseHidden } from '../../conversations/refuse-hidden.ts';
import { newId, parseId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Caller } from '../../http/authenticate.ts';
import { rateLimited } from '../../http/limit-requests.ts';
import { invalid, Refusal, unknownReference } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import { findLatestConversation } from '../steps/ensure-conversation.ts';
import { findMinuteEnd, type RunLimits } from './limit-runs.ts';
import { loadProgram } from './load-program.ts';
import { lockRunContact } from './lock-run.ts';
import { newRun, setStart } from './new-run.ts';
import { type CurrentWorkflow, findWorkflow, insertRun, type RunState } from './run-queries.ts';

/**
 * Starts a workflow with the trigger `api_call` for one contact. A job of the same commit performs its first step. 404 for a
 * contact that the caller may not see.
 */
export async function startWorkflowRun(
  { tx, clock, limits }: { tx: Transaction; clock: Clock; limits: RunLimits },
  caller: Caller,
  { workflow_id, body }: { workflow_id: string; body: WorkflowRunStart },
): Promise<RunState> {
  const { workspace_id } = caller;
  const id = parseId('workflow', workflow_id);
  const workflow = id && (await findWorkflow(tx, workspace_id, { id }));
  if (!workflow) throw new Refusal('not_found');
  assertStartable(workflow);
  const now = clock.now();
  const minute_end = await findMinuteEnd(tx, limits, { workspace_id, now });
  if (minute_end) {
    const reset_seconds = Math.ceil((minute_end.getTime() - now.getTime()) / 1000);
    const what = `${limits.per_minute} workflow runs a minute for each workspace`;
    throw rateLimited({ limit: limits.per_minute, reset_seconds, what });
  }
  const contact_id = await findOrCreateContact(tx, clock, caller, body.contact);
  await holdContact(tx, caller, contact_id);
  const conversation_id = (await findLatestConversation(tx, workspace_id, contact_id)) ?? null;
  // The run acts in it, so a conversation of another team starts none.
  await refuseHidden(tx, caller, { conversation_id: conversation_id ?? undefined });
  const run = newRun(newId(clock), {
    workspace_id,
    workflow_id: workflow.id,
    version: workflow.version,
    contact_id,
    conversation_id,
    depth: 0,
    root_run_id: null,
    trigger: { type: 'api_call', variables: body.variables ?? {} },
  });
  setStart(run, await loadProgram(tx, run));
  await insertRun(tx, run, clock.now());
  await enqueueJobs(tx, [continueRunJob({ ...run, run_id: run.id }, clock.now(), false)]);
  return run;
}

function assertStartable({ trigger, status, version }: CurrentWorkflow): void {
  const detail =
    trigger !== 'api_call'
      ? `The trigger of the workflow is ${trigger}, and no API call.`
      : status !== 'published'
        ? `The workflow is ${status}: only a published one starts.`
        : version === 0
          ? 'The workflow has no steps yet: apply its file again.'
          : undefined;
  if (detail) throw new Refusal('unprocessable_content', { detail });
}

/** Locks or creates the contact and returns its id. */
async function findOrCreateContact(
  tx: Transaction,
  clock: Clock,
  { workspace_id, country }: Caller,
  { id, contact_id, channel_type, identifier }: WorkflowRunStart['contact'],
): Promise<string> {
  const named = id ?? contact_id;
  const hasIdentity = channel_type !== undefined || identifier !== undefined;
  if (named === undefined && !hasIdentity) {
    throw invalid({ detail: 'needs id, or channel_type and identifier', pointer: '/contact' });
  }
  if (named !== undefined) {
    const pointer = id === undefined ? '/contact/contact_id' : '/contact/id';
    if (id !== undefined && contact_id !== undefined && id !== contact_id) {
      throw invalid({ detail: 'names another contact than id', pointer: '/contact/contact_id' });
    }
    if (hasIdentity) throw invalid({ detail: 'is given beside an identity: one of both', pointer });
    const known = parseId('contact', named);
    if (!known || !(await lockRunContact(tx, workspace_id, known))) {
      throw invalid(unknownReference('names no contact', pointer));
    }
    return known;
  }
  if (channel_type === undefined) throw invalid({ detail: 'is required', pointer: '/contact/channel_type' });
  if (identifier === undefined) throw invalid({ detail: 'is required', pointer: '/contact/identifier' });
  const read = readIdentities([{ channel_type, identifier }], country ?? undefined);
  if (!read.ok) throw invalid(read.faults.map(({ detail }) => ({ detail, pointer: '/contact/identifier' })));
  const [found] = await findOrCreateContacts(
    tx,
    clock,
    read.value.map((identity) => ({ workspace_id, ...identity })),
  );
  return found!.contact_id;
}
