import type { ThreadMessage } from '@majlis/console-api';
import type { ConversationMessageSend } from '@majlis/contract';
import { send } from '../../composer/outbox.ts';
import { userIn } from '../../live/session.ts';
import { canHelpToSendAgain } from './failure-cause.ts';

/** Sends a failed message again, as a new one at the end of the thread. */
export function sendAgain(workspace_id: string, message: ThreadMessage): void {
  const content = contentOf(message);
  if (!content) return;
  const { conversation_id, filename } = message;
  send({
    workspace_id,
    conversation_id,
    user_id: userIn(workspace_id),
    mode: 'reply',
    content,
    ...(filename !== undefined && { filename }),
    isFromDraft: false,
  });
}

/** Whether the same message may arrive this time. The values of a template are not known here, so it is filled in again. */
export function canSendAgain(message: ThreadMessage): boolean {
  return (
    message.broadcast_id === undefined && canHelpToSendAgain(message.error_code) && contentOf(message) !== undefined
  );
}

const files = ['image', 'video', 'file', 'voice'] as const;

function contentOf(message: ThreadMessage): ConversationMessageSend | undefined {
  const { kind, body, caption, media_id, reply_to_id, location } = message;
  const more = reply_to_id === undefined ? {} : { reply_to_id };
  if (kind === 'text' && body !== undefined) return { kind, body, ...more };
  if (kind === 'location' && location) return { kind, location, ...more };
  const file = files.find((one) => one === kind);
  if (!file || media_id === undefined) return undefined;
  return { kind: file, media_id, ...(caption !== undefined && { caption }), ...more };
}
