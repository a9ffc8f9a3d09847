import type { ConversationMessageSend } from '@majlis/contract';
import { invalid, Refusal, unknownReference } from '../../http/reply/refusal.ts';
import type { SendTarget, TargetNames } from './find-targets.ts';

interface TargetedSend {
  names: TargetNames;
  content: Pick<ConversationMessageSend, 'reply_to_id'>;
}

/** Refuses a send whose names name no rows, or rows that do not belong together. */
export function refuseTarget({ names, content }: TargetedSend, target: SendTarget): Refusal | undefined {
  if (names.conversation_id && !target.conversation_id) return new Refusal('not_found');
  if (!target.channel_id) return refuseChannel(names);
  if (target.is_disconnected) return invalid({ detail: 'names a disconnected channel', pointer: '/channel_id' });
  if (names.contact_id && !target.contact_id) return invalid(unknownReference('names no contact', '/contact_id'));
  if (names.contact_id && names.identifier && target.owner_contact_id !== target.contact_id) {
    return invalid({ detail: 'is not a number of the contact named in contact_id', pointer: '/to' });
  }
  if (!addressOf(target) && !names.identifier) {
    return invalid({ detail: 'has no number on this channel', pointer: '/contact_id' });
  }
  const quotesOther = target.reply_conversation_id !== target.conversation_id;
  if (content.reply_to_id !== undefined && (!target.reply_to_id || quotesOther)) {
    return invalid(unknownReference('names no message of this conversation', '/reply_to_id'));
  }
  return undefined;
}

function refuseChannel({ channel_id }: TargetNames): Refusal {
  const pointer = '/channel_id';
  if (channel_id) return invalid(unknownReference('names no channel', pointer));
  return invalid({ detail: 'is required unless the workspace has exactly one channel', pointer });
}

/** The platform's own spelling of a number wins: it is the sender of its messages (platform-protocol, section 12). */
export function addressOf({ identifier, wa_id, user_id }: SendTarget): string | undefined {
  return wa_id ? `+${wa_id}` : (identifier ?? user_id ?? undefined);
}
