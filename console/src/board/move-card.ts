import type { Conversation } from '@majlis/contract';
import { prepareRestore } from '../conversation/restore.ts';
import { takeBack } from '../conversation/take-back.ts';
import { changeConversation } from '../live/change-conversation.ts';
import { conversations } from '../live/conversations.ts';
import { sentenceOf } from '../live/request.ts';
import { settleFocus } from '../parts/settle-focus.ts';
import { tell, tellUndoable } from '../parts/toasts.ts';
import { performUndoable } from '../parts/undo.ts';
import { isolated } from '../words/isolated.ts';
import { t } from '../words/words.ts';
import { columnChanged, noStage } from './columns.ts';

export function nameOf({ contact_name, contact_handle }: Conversation): string {
  return contact_name ?? contact_handle ?? t('inbox.unnamed');
}

/** Moves a conversation to a stage. Its card moves at once and the focus with it, and back where the service refuses. */
export function moveCard(workspace_id: string, conversation: Conversation, to: Stage): Promise<void> {
  return performUndoable(() => move(workspace_id, conversation, to));
}

interface Stage {
  id: string;
  name: string;
}

async function move(workspace_id: string, conversation: Conversation, { id: target, name }: Stage): Promise<void> {
  const before = conversation.stage_id ?? noStage;
  if (before === target) return;
  const path = `/workspaces/${workspace_id}/conversations/${conversation.id}`;
  const end = conversations.putExpected(inStage(conversation, target));
  focusCard(conversation.id, target);
  let stood: string | null;
  try {
    const { before } = await changeConversation('PUT', `${path}/stage`, { stage_id: stageOf(target) });
    stood = before.stage_id;
  } catch (error) {
    const now = conversations.get(conversation.id);
    if (now && (now.stage_id ?? noStage) === target) conversations.putChanged(inStage(now, before));
    tell(sentenceOf(error), 'danger');
    return;
  } finally {
    columnChanged(workspace_id, target);
    end();
  }
  const said = t('board.moved', { name: isolated(nameOf(conversation)), stage: isolated(name) });
  const restore = prepareRestore(path, { expected: { stage_id: stageOf(target) }, restored: { stage_id: stood } });
  tellUndoable(said, () => void takeBack(restore, () => columnChanged(workspace_id, stood ?? noStage)));
}

const stageOf = (id: string) => (id === noStage ? null : id);

function inStage({ stage_id: _, ...conversation }: Conversation, stage: string): Conversation {
  return { ...conversation, ...(stage !== noStage && { stage_id: stage }) } as Conversation;
}

/** A menu or a handle goes with the card's old place. The card's new one may be drawn later. */
function focusCard(id: string, stage: string): void {
  settleFocus(() => {
    const card = document.querySelector<HTMLElement>(`[data-stage="${stage}"] [role=row][data-key="${id}"]`);
    card?.focus();
    return card !== null;
  });
}
