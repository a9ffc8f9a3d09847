import { createHash } from 'node:crypto';
import { hasOpenWindow } from '../world/chats.ts';
import type { Chat, ChatMessage, Dict } from '../world/message.ts';
import type { World } from '../world/world.ts';
import type { Step } from './plan-statuses.ts';

const dayMs = 24 * 3_600_000;

/**
 * The pricing in a status (sections 8 and 11): `pricing` on `sent` and on one of delivered and read; `conversation` only before
 * version 24, or where the conversation is charged.
 */
export function priceMessage(world: World, message: ChatMessage, step: Step): Dict {
  const { pricing: mode } = world.switches;
  const isSecond = step.status === 'delivered' || (step.status === 'read' && !message.priced_delivery);
  if (step.pricing === undefined && (mode === 'never' || (step.status !== 'sent' && !isSecond))) return {};
  if (isSecond) message.priced_delivery = true;
  const conversation = world.conversations.getOrMake(message.phone_number_id, message.wa_id, message.at);
  const isLite = message.route === 'marketing_messages';
  const category = isLite ? 'marketing_lite' : (message.template?.category.toLowerCase() ?? 'service');
  const pricing = {
    pricing_model: mode === 'per_conversation' ? 'CBP' : 'PMP',
    ...chargeOf(message, conversation, category),
    ...step.pricing,
  };
  message.pricing = pricing;
  if (isSecond && pricing.billable) world.ledger.charge(message.id, pricing.category);
  return namesConversation(world, message)
    ? { conversation: nameConversation(conversation, message, step), pricing }
    : { pricing };
}

// Since 2026-10-01 service messages and those of utility inside the window are charged.
const chargedSince = Date.UTC(2026, 9, 1);

function chargeOf({ at, in_free_time }: ChatMessage, conversation: Chat, category: string) {
  if (in_free_time) return { billable: false, type: 'free_entry_point', category: 'referral_conversion' };
  const isFree = category === 'service' || (category === 'utility' && hasOpenWindow(conversation, at));
  if (isFree && at < chargedSince) return { billable: false, type: 'free_customer_service', category };
  return { billable: true, type: 'regular', category };
}

function namesConversation({ switches }: World, message: ChatMessage): boolean {
  if (switches.pricing === 'per_conversation' || switches.conversation === 'always') return true;
  return switches.conversation === 'by_version' && (message.api_major ?? 24) < 24;
}

/** The first message of a category opens a conversation of 24 hours. */
function nameConversation(conversation: Chat, message: ChatMessage, step: Step): Dict {
  const { category } = message.pricing as { category: string };
  const opened = conversation.charged ?? {};
  conversation.charged = opened;
  if (message.at >= (opened[category] ?? 0) + dayMs) opened[category] = message.at;
  const from = opened[category]!;
  const name = `${message.phone_number_id} ${message.wa_id} ${category} ${from}`;
  const expiry = step.status === 'sent' && { expiration_timestamp: String(Math.floor((from + dayMs) / 1000)) };
  return { id: createHash('md5').update(name).digest('hex'), ...expiry, origin: { type: category } };
}
