import { enqueueUnanswered } from '../../automation/enqueue-answers.ts';
import { assignByTurns } from '../../conversations/change/assign-round-robin.ts';
import { closeConversation } from '../../conversations/change/close-conversation.ts';
import { listClosingCategories } from '../../conversations/closing-categories.ts';
import { type LockedConversation, updateConversation } from '../../conversations/queries.ts';
import { publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { addNote } from '../../messages/notes/add-note.ts';
import { findUserIds } from '../../users/queries.ts';
import type { StepOf } from '../definition/definition.ts';
import { expand, type Scope } from '../run/expand.ts';
import type { MovingRun } from '../run/moving-run.ts';
import { ensureConversation } from './ensure-conversation.ts';
import { failed, type Outcome } from './outcome.ts';

const nowhere = failed('The contact is on no channel.');
const otherBot = failed('bot_in_control: Another bot controls the conversation.');

const findTeam = statement<{ id: string }>(`select id from teams where workspace_id = $1 and name = $2`);
const findAgent = statement<{ id: string }>(`select id from ai_agents where workspace_id = $1 and name = $2`);

export async function assignStep(moving: MovingRun, step: StepOf<'assign'>, scope: Scope): Promise<Outcome> {
  const { tx, run } = moving;
  const conversation = await ensureConversation(moving);
  if (!conversation) return nowhere;
  if (step.round_robin) {
    await assignByTurns(tx, [conversation], true);
    return { type: 'done', outcome: 'assigned' };
  }
  const email = step.user == null ? step.user : expand(step.user, scope);
  const assignee_id = email == null ? email : (await findUserIds(tx, run.workspace_id, [email])).get(email);
  if (email != null && !assignee_id) return failed(`The workspace has no user ${email}.`);
  const name = step.team == null ? step.team : expand(step.team, scope);
  const team_id = name == null ? name : (await findTeam(tx, [run.workspace_id, name]))[0]?.id;
  if (name != null && !team_id) return failed(`The workspace has no team "${name}".`);
  await updateConversation(tx, conversation, {
    ...(assignee_id !== undefined && { assignee_id }),
    ...(team_id !== undefined && { team_id }),
  });
  return { type: 'done', outcome: 'assigned' };
}

/** Gives the conversation away, and ends the run with it. */
export async function handOverStep(moving: MovingRun, step: StepOf<'hand_over'>, scope: Scope): Promise<Outcome> {
  const { tx, clock, run } = moving;
  const conversation = await ensureConversation(moving);
  if (!conversation) return nowhere;
  if (isOfOtherBot(moving, conversation)) return otherBot;
  const name = step.to === 'ai_agent' ? expand(step.agent!, scope) : undefined;
  const agent = name === undefined ? undefined : (await findAgent(tx, [run.workspace_id, name]))[0];
  if (name !== undefined && !agent) return failed(`The workspace has no AI agent "${name}".`);
  const controller = agent ? 'bot' : 'human';
  await updateConversation(tx, conversation, { controller, ai_agent_id: agent?.id ?? null, workflow_run_id: null });
  if (agent) await enqueueUnanswered(tx, clock, conversation);
  run.has_control = false;
  return { type: 'ends', outcome: agent ? 'handed over to an AI agent' : 'handed over to people' };
}

export async function closeStep(moving: MovingRun, step: StepOf<'close'>, scope: Scope): Promise<Outcome> {
  const { tx, clock, run } = moving;
  const conversation = await ensureConversation(moving);
  if (!conversation) return nowhere;
  if (isOfOtherBot(moving, conversation)) return otherBot;
  const name = step.category === undefined ? undefined : expand(step.category, scope);
  const categories = name === undefined ? [] : await listClosingCategories(tx, run.workspace_id);
  const category = categories.find((one) => one.name === name);
  if (name !== undefined && !category) return failed(`The workspace has no closing reason "${name}".`);
  const closing = {
    category_id: category && publicId('closing_category', category.id),
    summary: step.summary === undefined ? undefined : expand(step.summary, scope),
    closed_by: null,
    ends_runs: false,
  };
  await closeConversation(tx, clock, conversation, closing, async () => null);
  Object.assign(conversation, { status: 'closed', controller: 'human', workflow_run_id: null });
  run.has_control = false;
  return { type: 'done', outcome: 'closed' };
}

export async function noteStep(moving: MovingRun, { text }: StepOf<'add_note'>, scope: Scope): Promise<Outcome> {
  const conversation = await ensureConversation(moving);
  if (!conversation) return nowhere;
  const body = expand(text, scope);
  if (body.trim() === '') return failed('The note is empty.');
  await addNote(moving.tx, moving.clock, conversation, { body, user_id: undefined });
  return { type: 'done', outcome: 'noted' };
}

function isOfOtherBot({ run }: MovingRun, { controller, workflow_run_id }: LockedConversation): boolean {
  return controller === 'bot' && workflow_run_id !== run.id;
}
