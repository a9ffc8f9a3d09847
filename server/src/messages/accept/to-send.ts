import type { ConversationMessageSend } from '@majlis/contract';
import { actorOf } from '../../conversations/change/record-changes.ts';
import { limitedUserOf } from '../../conversations/refuse-hidden.ts';
import { parseId } from '../../database/ids.ts';
import type { Caller } from '../../http/authenticate.ts';
import { invalid, type Refusal, unknownReference } from '../../http/reply/refusal.ts';
import { mediaNamedIn } from './compose-content.ts';
import type { TargetNames } from './find-targets.ts';
import type { Send } from './send-messages.ts';

/** Who sends: an API key or a person. */
export type Sender = Pick<
  Caller,
  'workspace_id' | 'user_id' | 'is_person' | 'own_teams_only' | 'starts_no_workflows' | 'seen_reply_id'
>;

/** A send in the name of its sender, or the refusal of an id in it. */
export function toSend(
  sender: Sender,
  content: ConversationMessageSend,
  names: Omit<TargetNames, 'workspace_id'>,
  reopens: boolean,
): Send | Refusal {
  const { workspace_id, user_id } = sender;
  const { reply_to_id, template } = content;
  const media_id = mediaNamedIn(content);
  const quoted = reply_to_id === undefined ? undefined : parseId('message', reply_to_id);
  if (reply_to_id !== undefined && !quoted) {
    return invalid(unknownReference('names no message of this conversation', '/reply_to_id'));
  }
  return {
    names: {
      ...names,
      workspace_id,
      reply_to_id: quoted,
      media_id: media_id === undefined ? undefined : parseId('media', media_id),
      template_name: template?.name,
      template_language: template?.language,
    },
    content,
    reopens,
    by_person: sender.is_person,
    limited_user_id: limitedUserOf(sender),
    seen_reply_id: sender.seen_reply_id,
    reopened_by: actorOf(sender),
    actor: user_id ? { kind: 'user', id: user_id } : undefined,
  };
}
