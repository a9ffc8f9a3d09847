import type { ThreadMessage } from '@majlis/console-api';
import type { ConversationMessageSend, Interactive } from '@majlis/contract';
import { userIn } from '../live/session.ts';
import { createHeaderUpload } from './header-upload.ts';
import { send } from './outbox.ts';
import { openPanel } from './panels.ts';

/** Whether a failed message can be sent again. A template without its name cannot. */
export function canSendAgain({ kind, template }: ThreadMessage): boolean {
  return kind !== 'reaction' && kind !== 'note' && (kind !== 'template' || template !== undefined);
}

/** Sends a failed message as a new one, with a key of its own. A template is opened: its values are not known any more. */
export function sendAgain(workspace_id: string, message: ThreadMessage): void {
  const { template } = message;
  if (template) {
    const { name, language } = template;
    const file = createHeaderUpload(workspace_id);
    openPanel(message.conversation_id, { type: 'templates', template: { name, language, file } });
    return;
  }
  const { conversation_id, kind, body, media_id, reply_to_id, location, interactive, filename } = message;
  const content = {
    kind: kind as ConversationMessageSend['kind'],
    ...(body !== undefined && kind !== 'location' && kind !== 'voice' && { body }),
    ...(media_id !== undefined && { media_id }),
    ...(reply_to_id !== undefined && { reply_to_id }),
    ...(location && { location }),
    ...(interactive && { interactive: toInteractive(interactive) }),
  };
  const named = { ...(filename !== undefined && { filename }) };
  const user_id = userIn(workspace_id);
  send({ workspace_id, conversation_id, user_id, mode: 'reply', content, ...named, isFromDraft: false });
}

function toInteractive({ type, choices }: NonNullable<ThreadMessage['interactive']>): Interactive {
  return type === 'request_contact_info' ? { type } : { type: type as 'buttons' | 'list', buttons: choices };
}
