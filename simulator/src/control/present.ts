import { isRecord } from '../graph/is-record.ts';
import { templateText } from '../templates/template-text.ts';
import { hasOpenWindow } from '../world/chats.ts';
import type { Chat, ChatMessage, Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';

/** A message for the page and tests: its wire content and its status. */
export function presentChatMessage(world: World, message: ChatMessage): Dict {
  const { template, content } = message;
  const quoted = message.context_id === undefined ? undefined : world.messages.get(message.context_id);
  return {
    id: message.id,
    direction: message.direction,
    phone_number_id: message.phone_number_id,
    wa_id: message.wa_id,
    type: message.type,
    content,
    at: message.at,
    status: message.status,
    error: message.error ?? null,
    pricing: message.pricing ?? null,
    context_id: message.context_id ?? null,
    quoted: quoted === undefined ? null : { id: quoted.id, direction: quoted.direction, text: summarise(quoted) },
    text: summarise(message),
    template: template === undefined ? null : { name: template.name, ...templateText(template, content as Dict) },
    media: mediaOf(world, message),
    reactions: message.reactions ?? {},
    edited: message.edited ?? false,
    revoked: message.revoked ?? false,
    read_by_business: message.read_by_business ?? false,
    callback_data: message.callback_data ?? null,
    script: message.script?.name ?? null,
  };
}

/** One line of text for the list of chats and for quotations. */
export function summarise({ type, content, template, revoked }: ChatMessage): string {
  if (revoked) return 'This message was deleted';
  if (!isRecord(content)) return type === 'contacts' ? 'Contact' : `[${type}]`;
  if (template !== undefined) return templateText(template, content).body;
  const word = (value: unknown) => (isRecord(value) ? String(value.text ?? value.title ?? value.body ?? '') : '');
  switch (type) {
    case 'text':
      return String(content.body ?? '');
    case 'interactive':
      return (
        word(content.body) ||
        word(content.button_reply) ||
        word(content.list_reply) ||
        word(content.nfm_reply) ||
        '[interactive]'
      );
    case 'button':
      return String(content.text ?? '');
    case 'reaction':
      return `Reacted ${String(content.emoji ?? '')}`;
    case 'image':
      return String(content.caption ?? 'Photo');
    case 'video':
      return String(content.caption ?? 'Video');
    case 'audio':
      return content.voice === true ? 'Voice message' : 'Audio';
    case 'document':
      return String(content.filename ?? content.caption ?? 'Document');
    case 'sticker':
      return 'Sticker';
    case 'location':
      return String(content.name ?? 'Location');
    case 'system':
      return String(content.body ?? '');
    default:
      return `[${type}]`;
  }
}

/** The message's medium, in its content or its header. */
function mediaOf(world: World, { type, content, template }: ChatMessage): Dict | null {
  if (!isRecord(content)) return null;
  const header = template === undefined ? content.header : templateText(template, content).header;
  const inHeader = isRecord(header) ? (header.media ?? header[String(header.type)]) : undefined;
  const object = isRecord(inHeader) ? inHeader : content;
  const known = object.id === undefined ? undefined : world.media.get(String(object.id), world.now());
  if (known !== undefined) {
    return { id: known.id, mime_type: known.mime_type, filename: known.filename ?? null, size: known.bytes.length };
  }
  return typeof object.link === 'string' && type !== 'text' ? { link: object.link } : null;
}

export function presentChat(world: World, conversation: Chat): Dict {
  const now = world.now();
  const last = conversation.last_id === undefined ? undefined : world.messages.get(conversation.last_id);
  return {
    phone_number_id: conversation.phone_number_id,
    wa_id: conversation.wa_id,
    name: world.customers.get(conversation.wa_id).name,
    last_at: conversation.last_at,
    window_open: hasOpenWindow(conversation, now),
    marketing: conversation.marketing ?? 'resume',
    typing: (conversation.typing_until ?? 0) > now,
    last: last === undefined ? null : { text: summarise(last), direction: last.direction, status: last.status },
  };
}

export function presentControlNumber(number: BusinessNumber): Dict {
  const { blocked, recent, register_calls, ...plain } = number;
  return { ...plain, blocked: [...blocked] };
}
