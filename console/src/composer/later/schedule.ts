import type { ScheduledMessage } from '@majlis/console-api';
import type { ConversationMessageSend } from '@majlis/contract';
import { makeKey } from '../../live/make-key.ts';
import { Failure, isPassing } from '../../live/request.ts';
import { requestOnce } from '../../live/request-once.ts';
import { scheduledChanged, scheduledPathOf } from '../../live/scheduled.ts';

interface Target {
  workspace_id: string;
  conversation_id: string;
}

/** The keys of requests without an answer: the same message for the same time is scheduled once, also after another press. */
const keys = new Map<string, string>();

/** Schedules a message. Rejects with a `Failure`. */
export async function schedule(
  { workspace_id, conversation_id }: Target,
  content: ConversationMessageSend,
  at: number,
): Promise<ScheduledMessage> {
  const path = scheduledPathOf(workspace_id, conversation_id);
  const body = { content, send_at: new Date(at).toISOString() };
  const name = JSON.stringify([path, body]);
  const idempotency_key = keys.get(name) ?? makeKey();
  keys.set(name, idempotency_key);
  try {
    const made = await requestOnce<ScheduledMessage>('POST', path, body, { idempotency_key });
    keys.delete(name);
    scheduledChanged(workspace_id, conversation_id);
    return made;
  } catch (error) {
    if (!(error instanceof Failure && isPassing(error))) keys.delete(name);
    throw error;
  }
}
