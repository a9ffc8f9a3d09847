import type { ScheduledMessage } from '@majlis/console-api';
import type { ConversationMessageSend } from '@majlis/contract';
import { request, sentenceOf } from '../../live/request.ts';
import { scheduledChanged, scheduledPathOf } from '../../live/scheduled.ts';
import { tellNotUndone } from '../../parts/tell-not-undone.ts';
import { tell, tellUndoable } from '../../parts/toasts.ts';
import { performUndoable } from '../../parts/undo.ts';
import { t } from '../../words/words.ts';

/** What a person does to a scheduled message. Each function but `change` tells its outcome. */
async function perform(
  workspace_id: string,
  message: ScheduledMessage,
  action: 'cancel' | 'send',
): Promise<ScheduledMessage | undefined> {
  try {
    return await post(workspace_id, message, action);
  } catch (error) {
    tell(sentenceOf(error), 'danger');
    return undefined;
  }
}

async function post(
  workspace_id: string,
  { conversation_id, id, version }: ScheduledMessage,
  action: 'cancel' | 'send' | 'restore',
): Promise<ScheduledMessage> {
  try {
    const path = `${scheduledPathOf(workspace_id, conversation_id)}/${id}/${action}`;
    return await request<ScheduledMessage>('POST', path, { version });
  } finally {
    scheduledChanged(workspace_id, conversation_id);
  }
}

async function takeBack(workspace_id: string, message: ScheduledMessage): Promise<void> {
  try {
    await post(workspace_id, message, 'restore');
  } catch (error) {
    tellNotUndone(error, () => void takeBack(workspace_id, message));
  }
}

/** Takes messages back that wait for their time, and offers to keep them after all. */
export function cancelScheduled(workspace_id: string, ...messages: readonly ScheduledMessage[]): Promise<void> {
  return performUndoable(async () => {
    const all = await Promise.all(messages.map((one) => perform(workspace_id, one, 'cancel')));
    const cancelled = all.filter((one) => one !== undefined);
    if (cancelled.length === 0) return;
    tellUndoable(t('scheduled.cancelled'), () => {
      for (const one of cancelled) void takeBack(workspace_id, one);
    });
  });
}

export async function sendScheduledNow(workspace_id: string, message: ScheduledMessage): Promise<void> {
  if (await perform(workspace_id, message, 'send')) tell(t('scheduled.sent_now'));
}

export interface ScheduledEdit {
  version: number;
  content?: ConversationMessageSend;
  send_at?: string;
}

/** Rejects where the service refuses: the dialog shows why. */
export async function changeScheduled(
  workspace_id: string,
  { conversation_id, id }: ScheduledMessage,
  edit: ScheduledEdit,
): Promise<void> {
  try {
    await request('PATCH', `${scheduledPathOf(workspace_id, conversation_id)}/${id}`, edit);
  } finally {
    scheduledChanged(workspace_id, conversation_id);
  }
}
