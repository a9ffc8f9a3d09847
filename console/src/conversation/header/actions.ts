import type { Conversation } from '@majlis/contract';
import { type Changed, changeConversation } from '../../live/change-conversation.ts';
import { conversationChanged, conversations } from '../../live/conversations.ts';
import { queries } from '../../live/queries.ts';
import { request, sentenceOf } from '../../live/request.ts';
import { tell, tellUndoable } from '../../parts/toasts.ts';
import { performUndoable } from '../../parts/undo.ts';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import { prepareRestore, type Restoring } from '../restore.ts';
import { momentText } from './moment-text.ts';

/** What a person does to a conversation. Each function tells its outcome. */
export interface Target {
  workspace_id: string;
  conversation: Conversation;
}

export const pathOf = ({ workspace_id, conversation }: Target) =>
  `/workspaces/${workspace_id}/conversations/${conversation.id}`;

type Shown = Partial<Record<'assignee_id' | 'team_id' | 'stage_id', string | null>> &
  Partial<Pick<Conversation, 'controller'>>;

/** Shows the change at once. After a refusal, the page shows what the service has. */
async function perform(
  target: Target,
  { method = 'POST', action, body, shown = {} }: { method?: string; action: string; body?: object; shown?: Shown },
): Promise<Changed | undefined> {
  const { conversation } = target;
  const end = conversations.putExpected(withChange(conversation, shown));
  try {
    return await changeConversation(method, `${pathOf(target)}/${action}`, body);
  } catch (error) {
    // A newer state may have come meanwhile: then it stands.
    const now = conversations.get(conversation.id);
    if (now && JSON.stringify(now) === JSON.stringify(withChange(conversation, shown)))
      conversations.putChanged(conversation);
    tell(sentenceOf(error), 'danger');
    return undefined;
  } finally {
    end();
    changed(target);
  }
}

function withChange(conversation: Conversation, shown: Shown): Conversation {
  const entries = Object.entries({ ...conversation, ...shown }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as unknown as Conversation;
}

function changed(target: Target): void {
  conversationChanged(target.conversation.id);
  void queries.invalidateQueries({ queryKey: [`${pathOf(target)}/state`] });
}

/** The words of the undo are loaded with the offer: a cut of the network may come before the press. */
function offerUndo(target: Target, said: string, restoring: Restoring): void {
  const loading = import('../take-back.ts');
  const restore = prepareRestore(pathOf(target), restoring);
  tellUndoable(said, () => void loading.then(({ takeBack }) => takeBack(restore, () => changed(target))));
}

interface Assignment {
  assignee_id?: string | null;
  team_id?: string | null;
}

export function assign(target: Target, assignment: Assignment, said: string): Promise<void> {
  return performUndoable(async () => {
    const changed = await perform(target, { action: 'assign', body: assignment, shown: assignment });
    if (!changed) return;
    const { answer, before } = changed;
    const expected = { assignee_id: answer.assignee_id ?? null, team_id: answer.team_id ?? null };
    const { assignee_id, team_id } = before;
    offerUndo(target, said, { expected, restored: { assignee_id, team_id } });
  });
}

export interface ClosingBody {
  category_id?: string;
  summary?: string;
  send_csat?: boolean;
}

/**
 * Answers whether the closing of this person stands: a colleague may have been faster, unless it was sent before and its answer was
 * lost. Rejects where the service refuses: the dialog shows why.
 */
export function close(target: Target, body: ClosingBody, wasSent: boolean): Promise<boolean> {
  return performUndoable(async () => {
    const { before } = await changeConversation('POST', `${pathOf(target)}/close`, body);
    changed(target);
    if (before.status === 'closed' && !wasSent) return false;
    offerUndo(target, t('panel.closed'), { expected: { status: 'closed' }, restored: { status: 'open' } });
    return true;
  });
}

export async function reopen(target: Target): Promise<void> {
  if (await perform(target, { action: 'reopen' })) tell(t('panel.reopened'));
}

export function snooze(target: Target, until: number, timeZone: string): Promise<void> {
  return performUndoable(async () => {
    const snoozed_until = new Date(until).toISOString();
    const changed = await perform(target, { action: 'snooze', body: { until: snoozed_until } });
    if (!changed) return;
    const { before } = changed;
    const said = t('panel.snoozed_until', { time: momentText(until, timeZone) });
    offerUndo(target, said, { expected: { snoozed_until }, restored: { snoozed_until: before.snoozed_until } });
  });
}

export async function wake(target: Target, snoozed_until: string): Promise<void> {
  const restored = { snoozed_until: null };
  try {
    await prepareRestore(pathOf(target), { expected: { snoozed_until }, restored })();
    tell(t('panel.undone'));
  } catch (error) {
    tell(sentenceOf(error), 'danger');
  } finally {
    changed(target);
  }
}

export async function setStage(target: Target, stage_id: string | null): Promise<void> {
  await perform(target, { method: 'PUT', action: 'stage', body: { stage_id }, shown: { stage_id } });
}

export async function takeOver(target: Target): Promise<void> {
  const changed = await perform(target, { action: 'handover', body: { to: 'human' }, shown: { controller: 'human' } });
  if (changed) tell(t('panel.taken_over'));
}

export async function handOver(target: Target, agent: { id: string; name: string }): Promise<void> {
  const body = { to: 'bot', ai_agent_id: agent.id };
  const changed = await perform(target, { action: 'handover', body, shown: { controller: 'bot' } });
  if (changed) tell(t('panel.handed_over', { name: isolated(agent.name) }));
}

/** The workflow takes control with its first question; until then people have it. */
export async function startWorkflow(target: Target, workflow: { id: string; name: string }): Promise<void> {
  try {
    const contact = { id: target.conversation.contact_id };
    await request('POST', `/workspaces/${target.workspace_id}/workflows/${workflow.id}/runs`, { contact });
    tell(t('panel.workflow_started', { name: isolated(workflow.name) }));
  } catch (error) {
    tell(sentenceOf(error), 'danger');
  }
  changed(target);
}
