import type { WebhookChannel } from '../channels/queries.ts';
import { type ConsentWords, defaultWords } from '../contacts/consents/consent-words.ts';
import { normalizePhone } from '../contacts/normalize-phone.ts';
import { cutText } from '../database/storable-text.ts';
import type { Bounds } from '../http/body/check-bounds.ts';
import { cleanFilename } from '../media/clean-filename.ts';
import type { PhoneMessage } from '../messages/history/phone-message.ts';
import type { InboundMessage } from '../messages/receive/receive-messages.ts';
import type { CallEvent } from '../messages/receive/record-calls.ts';
import type { Revision } from '../messages/receive/revise-messages.ts';
import type { Echo } from '../messages/receive/store-echoes.ts';
import type { CallItem } from '../platform/customer-items.ts';
import type { EchoItem, ImportedItem, MessageItem, RevisionItem } from '../platform/message-items.ts';
import { waIdVariants } from '../platform/number-variants.ts';
import type { CustomerIds } from '../platform/origin.ts';
import { isObject } from '../platform/read-json.ts';

/**
 * Converts a platform's message into the service's form. Texts beyond the bounds of requests are cut, not refused: the platform
 * sends none, and a message must not be lost. The raw message is stored whole.
 */
export function toInbound(channel: WebhookChannel, item: MessageItem, bounds: Bounds): InboundMessage {
  const { profile_name } = item;
  return {
    ...common(channel, item, bounds),
    person: { ...toPerson(channel, item), profile_name: profile_name && cutText(profile_name, bounds.short) },
    opens_window: item.opens_window,
    is_entry: isObject(item.raw.referral),
    words: wordsOf(channel),
    answers_away: channel.answers_away,
  };
}

function wordsOf({ stop_words, start_words }: WebhookChannel): ConsentWords {
  return stop_words && start_words ? { stop_words, start_words } : defaultWords;
}

/** Converts a message that the business wrote in the phone app. */
export function toEcho(channel: WebhookChannel, item: EchoItem, bounds: Bounds): Echo {
  return { ...common(channel, item, bounds), person: toPerson(channel, item) };
}

/** Converts a message of the phone app's history. */
export function toPhoneMessage(channel: WebhookChannel, item: ImportedItem, bounds: Bounds): PhoneMessage {
  const { by, place } = item;
  return { ...common(channel, item, bounds), person: toPerson(channel, item), by, place };
}

export function toCall(channel: WebhookChannel, item: CallItem, bounds: Bounds): CallEvent {
  const { call_id, event, by, duration_seconds, profile_name, at } = item;
  return {
    ...{ workspace_id: channel.workspace_id, channel_id: channel.id, channel_type: channel.type },
    person: { ...toPerson(channel, item), profile_name: profile_name && cutText(profile_name, bounds.short) },
    ...{ call_id, event, by, duration_seconds, at },
  };
}

/** Converts the report of an edit or a deletion. */
export function toRevision(channel: WebhookChannel, item: RevisionItem, bounds: Bounds): Revision {
  const { wa_id, user_id, by, platform_message_id, at, body, is_held, is_imported, raw } = item;
  return {
    workspace_id: channel.workspace_id,
    channel_id: channel.id,
    wa_id,
    user_id,
    direction: by === 'customer' ? 'inbound' : 'outbound',
    platform_message_id,
    at_ms: at.getTime(),
    body: body === undefined ? null : cutText(body, bounds.long),
    raw,
    ...(by === 'business' && is_held && { by_platform_agent: true }),
    ...(is_imported && { is_imported }),
    // What was written long ago, and what the business writes, decides nothing.
    ...(by === 'customer' && !is_imported && { stop_words: wordsOf(channel).stop_words }),
  };
}

type SaidItem = MessageItem | EchoItem | ImportedItem;

function common(channel: WebhookChannel, item: SaidItem, bounds: Bounds): Omit<Echo, 'person'> {
  const { platform_message_id, at, kind, mime, filename, error, platform_type, platform_media_id, sha256, raw } = item;
  const quoted_platform_id = item.reaction?.target_platform_id ?? item.quoted_platform_id;
  return {
    workspace_id: channel.workspace_id,
    channel_id: channel.id,
    channel_type: channel.type,
    platform_message_id,
    at,
    kind,
    body: item.body ? cutText(item.body, bounds.long) : null,
    mime,
    filename: filename && cleanFilename(cutText(filename, bounds.short)),
    error,
    quoted_platform_id,
    platform_media_id,
    is_silent: item.reaction?.emoji === '',
    is_held: (item.type !== 'imported' && item.is_held) || false,
    content: { platform_type, platform_media_id, sha256, raw, ...(isAgents(item) && { by_platform_agent: true }) },
  };
}

/** The platform's own agent wrote it. */
function isAgents(item: SaidItem): boolean {
  return item.type === 'echo' && item.is_held === true;
}

/** The identifier is the number in E.164, or the user id if the number is hidden. */
export function toPerson(
  { waba_id }: Pick<WebhookChannel, 'waba_id'>,
  { wa_id, user_id }: CustomerIds,
): InboundMessage['person'] {
  if (!wa_id) return { identifier: user_id!, user_id, waba_id };
  const variants = waIdVariants(wa_id);
  const identifier = variants.length === 1 ? variants[0]! : (variants.find(isWellFormed) ?? variants[0]!);
  return { identifier, variants, wa_id, user_id, waba_id };
}

function isWellFormed(e164: string): boolean {
  return normalizePhone(e164, undefined) === e164;
}
