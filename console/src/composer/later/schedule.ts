import type { ScheduledMessage } from '@majlis/console-api';
import type { ConversationMessageSend } from '@majlis/contract';
import { createOnce } from '../../live/request-once.ts';
import { scheduledChanged, scheduledPathOf } from '../../live/scheduled.ts';

interface Target {
  workspace_id: string;
  conversation_id: string;
}

/** Schedules a message: the same one for the same time once, also after another press. Rejects with a `Failure`. */
export async function schedule(
  { workspace_id, conversation_id }: Target,
  content: ConversationMessageSend,
  at: number,
): Promise<ScheduledMessage> {
  const path = scheduledPathOf(workspace_id, conversation_id);
  const made = await createOnce<ScheduledMessage>(path, { content, send_at: new Date(at).toISOString() });
  scheduledChanged(workspace_id, conversation_id);
  return made;
}
