import { operations } from '@majlis/contract';
import { enqueueLastUnanswered } from '../../automation/enqueue-answers.ts';
import { assignRoundRobin } from '../../conversations/change/assign-round-robin.ts';
import { closeConversation } from '../../conversations/change/close-conversation.ts';
import { listClosingCategories } from '../../conversations/closing-categories.ts';
import { type LockedConversation, updateConversation } from '../../conversations/queries.ts';
import { publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { addNote } from '../../messages/notes/add-note.ts';
import { holdUserOf } from '../../users/hold-member.ts';
import type { StepOf } from '../definition/definition.ts';
import { expand, type VariableScope } from '../run/expand.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { actorOfRun } from '../run/new-run.ts';
import { ensureConversation } from './ensure-conversation.ts';
import { failBeyondBounds } from './fail-beyond-bounds.ts';
import { type StepOutcome, stepFailed } from './step-outcome.ts';

const noChannel = stepFailed('The contact is on no channel.');
const otherBot = stepFailed('bot_in_control: Another bot controls the conversation.');

const holdTeam = statement<{ id: string }>(
  `select id from teams where workspace_id = $1 and name = $2 and removed_at is null for share`,
);
const findAgent = statement<{ id: string }>(`select id from ai_agents where workspace_id = $1 and name = $2`);

export async function assignStep(
  locked: LockedRun,
  step: StepOf<'assign'>,
  scope: VariableScope,
): Promise<StepOutcome> {
  const { tx, clock, run } = locked;
  const actor = actorOfRun(run);
  const conversation = await ensureConversation(locked);
  if (!conversation) return noChannel;
  if (step.round_robin) {
    await assignRoundRobin(tx, clock, [conversation], { actor, always: true });
    return { type: 'done', outcome: 'assigned' };
  }
  const email = step.user == null ? step.user : expand(step.user, scope);
  const assignee_id = email == null ? email : await holdUserOf(tx, run.workspace_id, email);
  if (email != null && !assignee_id) return stepFailed(`The workspace has no user ${email}.`);
  const name = step.team == null ? step.team : expand(step.team, scope);
  const team_id = name == null ? name : (await holdTeam(tx, [run.workspace_id, name]))[0]?.id;
  if (name != null && !team_id) return stepFailed(`The workspace has no team "${name}".`);
  const change = { ...(assignee_id !== undefined && { assignee_id }), ...(team_id !== undefined && { team_id }) };
  await updateConversation(tx, clock, conversation, change, { actor });
  return { type: 'done', outcome: 'assigned' };
}

/** Hands the conversation over and ends the run. */
export async function handOverStep(
  locked: LockedRun,
  step: StepOf<'hand_over'>,
  scope: VariableScope,
): Promise<StepOutcome> {
  const { tx, clock, run } = locked;
  const conversation = await ensureConversation(locked);
  if (!conversation) return noChannel;
  if (isControlledByOtherBot(locked, conversation)) return otherBot;
  const name = step.to === 'ai_agent' ? expand(step.agent!, scope) : undefined;
  const agent = name === undefined ? undefined : (await findAgent(tx, [run.workspace_id, name]))[0];
  if (name !== undefined && !agent) return stepFailed(`The workspace has no AI agent "${name}".`);
  const controller: 'bot' | 'human' = agent ? 'bot' : 'human';
  const change = {
    ...{ controller, ai_agent_id: agent?.id ?? null, workflow_run_id: null },
    ...(!agent && { bot_handed_over_at: clock.now() }),
  };
  await updateConversation(tx, clock, conversation, change, { actor: actorOfRun(run) });
  if (agent) await enqueueLastUnanswered(tx, clock, conversation);
  run.has_control = false;
  return { type: 'ends', outcome: agent ? 'handed over to an AI agent' : 'handed over to people' };
}

export async function closeStep(locked: LockedRun, step: StepOf<'close'>, scope: VariableScope): Promise<StepOutcome> {
  const { tx, clock, run } = locked;
  const conversation = await ensureConversation(locked);
  if (!conversation) return noChannel;
  if (isControlledByOtherBot(locked, conversation)) return otherBot;
  const name = step.category === undefined ? undefined : expand(step.category, scope);
  const categories = name === undefined ? [] : await listClosingCategories(tx, run.workspace_id);
  const category = categories.find((one) => one.name === name);
  if (name !== undefined && !category) return stepFailed(`The workspace has no closing reason "${name}".`);
  const summary = step.summary === undefined ? undefined : expand(step.summary, scope);
  const failure = failBeyondBounds(locked, operations.closeConversation.body, { summary });
  if (failure) return failure;
  const closing = {
    category_id: category && publicId('closing_category', category.id),
    summary,
    closed_by: null,
    actor: actorOfRun(run),
    ends_runs: false,
  };
  await closeConversation(tx, clock, conversation, closing, async () => null);
  Object.assign(conversation, { status: 'closed', controller: 'human', workflow_run_id: null });
  run.has_control = false;
  return { type: 'done', outcome: 'closed' };
}

export async function noteStep(
  locked: LockedRun,
  { text }: StepOf<'add_note'>,
  scope: VariableScope,
): Promise<StepOutcome> {
  const conversation = await ensureConversation(locked);
  if (!conversation) return noChannel;
  const body = expand(text, scope);
  if (body.trim() === '') return stepFailed('The note is empty.');
  const failure = failBeyondBounds(locked, operations.addConversationNote.body, { body });
  if (failure) return failure;
  await addNote(locked.tx, locked.clock, conversation, { body, user_id: undefined });
  return { type: 'done', outcome: 'noted' };
}

function isControlledByOtherBot({ run }: LockedRun, { controller, workflow_run_id }: LockedConversation): boolean {
  return controller === 'bot' && workflow_run_id !== run.id;
}
