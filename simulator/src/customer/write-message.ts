import { asyncError } from '../graph/error-codes.ts';
import { isRecord } from '../graph/is-record.ts';
import { mediaUrl } from '../graph/media-url.ts';
import { headOf } from '../webhooks/report-status.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { ChatMessage, Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import { makeWamid } from '../world/wamid.ts';
import type { World } from '../world/world.ts';
import { fieldOf } from './business-agent.ts';

export type CustomerMessage = {
  phone_number_id: string;
  /** The customer's number; digits, `+` and separators are tolerated. */
  from: string;
  /** The customer's display name; it is stored. null omits `profile` from this message. */
  name?: string | null;
  type: string;
  /** The object named by `type` (section 7); a string suffices for `text`. */
  content?: unknown;
  /** Quotes a message. */
  context_id?: string;
  /** Replaces the whole `context` (forwarded, referred product). */
  context?: Dict;
  referral?: Dict;
  errors?: unknown[];
  /** When the customer wrote, in milliseconds or ISO 8601; now by default. */
  at?: number | string;
  /** A used id, to send a duplicate. */
  id?: string;
  /** Further members of the message object. */
  extra?: Dict;
  /** false: no webhook reports the message. */
  notify?: boolean;
};

/** Types that do not open the window: no user-authored content (section 7). */
const silent = new Set(['reaction', 'system', 'edit', 'revoke', 'request_welcome']);

/** Stores a customer's message, shows it on the page and notifies the business. Does not wait for the webhook. */
export function writeMessage(world: World, sender: Sender, number: BusinessNumber, inbound: CustomerMessage) {
  const wa_id = inbound.from.replace(/\D/g, '');
  world.customers.update(wa_id, inbound.name ? { name: inbound.name } : {});
  const at = inbound.at === undefined ? world.now() : new Date(inbound.at).getTime();
  const { context_id } = inbound;
  const message: ChatMessage = {
    id: inbound.id ?? makeWamid(wa_id, 'inbound', world.random),
    direction: 'inbound',
    phone_number_id: number.phone_number_id,
    wa_id,
    type: inbound.type,
    content: contentOf(world, inbound),
    at,
    status: 'received',
    ...(context_id !== undefined && { context_id }),
  };
  const conversation = world.conversations.getOrMake(number.phone_number_id, wa_id, at);
  if (!silent.has(inbound.type)) conversation.last_inbound_at = Math.max(at, conversation.last_inbound_at ?? 0);
  if (inbound.referral) conversation.entry_at = at;
  conversation.last_id = message.id;
  applyToTarget(world, message);
  world.messages.add(message);
  world.changes.emit('message', message);
  world.changes.emit('conversation', conversation);
  if (inbound.notify !== false && !number.blocked.has(wa_id)) {
    void sender.notify(
      {
        waba_id: number.waba_id,
        ...fieldOf(conversation),
        head: headOf(number),
        ...(inbound.type !== 'system' && { contacts: [contactOf(world, wa_id, inbound.name)] }),
        list: { name: 'messages', item: wireMessage(world, number, message, inbound) },
      },
      number.phone_number_id,
    );
  }
  return message;
}

function contentOf(world: World, { type, content }: CustomerMessage): unknown {
  if (type === 'text') return isRecord(content) ? content : { body: String(content ?? '') };
  if (!isRecord(content) || content.id === undefined) return content;
  return describeMedia(world, type, content);
}

/** Adds the platform's members of a medium to its id. */
function describeMedia(world: World, type: string, content: Dict): Dict {
  const media = world.media.get(String(content.id), world.now());
  if (media === undefined) return content;
  return {
    mime_type: media.mime_type,
    sha256: Buffer.from(media.sha256, 'hex').toString('base64'),
    ...(type === 'audio' && { voice: media.voice ?? false }),
    ...(type === 'sticker' && { animated: false }),
    ...(type === 'document' && media.filename && { filename: media.filename }),
    ...(world.switches.media_urls && { url: mediaUrl(world, media.id) }),
    ...content,
  };
}

function wireMessage(world: World, number: BusinessNumber, message: ChatMessage, inbound: CustomerMessage): Dict {
  const customer = world.customers.get(message.wa_id);
  const quoted = message.context_id === undefined ? undefined : world.messages.get(message.context_id);
  const author = quoted?.direction === 'inbound' ? quoted.wa_id : number.digits;
  const context =
    inbound.context ?? (message.context_id === undefined ? undefined : { from: author, id: message.context_id });
  const errors = inbound.errors ?? (message.type === 'unsupported' ? [unsupported] : undefined);
  return {
    ...(context && { context }),
    ...(!customer.number_hidden && { from: message.wa_id }),
    ...(world.switches.user_ids && { from_user_id: customer.user_id }),
    id: message.id,
    timestamp: String(Math.floor(message.at / 1000)),
    type: message.type,
    ...(message.content !== undefined && { [message.type]: message.content }),
    ...(inbound.referral && { referral: inbound.referral }),
    ...(errors && { errors }),
    ...inbound.extra,
  };
}

const unsupported = asyncError(131051, 'Message type is currently not supported.');

function contactOf(world: World, wa_id: string, name: string | null | undefined): Dict {
  const customer = world.customers.get(wa_id);
  const { username } = customer;
  return {
    ...(name !== null && { profile: { name: customer.name, ...(username && { username }) } }),
    ...(!customer.number_hidden && { wa_id }),
    ...(world.switches.user_ids && { user_id: customer.user_id }),
  };
}

/** Applies a reaction, edit or revocation to its target on the page. */
function applyToTarget(world: World, { type, content }: ChatMessage): void {
  if (!isRecord(content)) return;
  const target = world.messages.get(String(content.message_id ?? content.original_message_id));
  if (target === undefined) return;
  if (type === 'reaction') {
    const { business } = target.reactions ?? {};
    target.reactions = { ...(business && { business }), ...(content.emoji ? { customer: String(content.emoji) } : {}) };
  } else if (type === 'edit' && isRecord(content.message)) {
    const newType = String(content.message.type);
    target.content = content.message[newType] ?? target.content;
    target.edited = true;
  } else if (type === 'revoke') target.revoked = true;
  else return;
  world.changes.emit('message', target);
}
