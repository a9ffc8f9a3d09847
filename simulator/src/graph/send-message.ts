import { handOver } from '../customer/business-agent.ts';
import { findScript, type Script } from '../scripts.ts';
import { followMessage } from '../webhooks/follow-message.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { Chat, ChatMessage, Dict, SendRoute } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import { makeWamid } from '../world/wamid.ts';
import type { World } from '../world/world.ts';
import { checkPairRate, checkThroughput, countMessage } from './check-rates.ts';
import { checkSend, isMediaType, type SendBody } from './check-send.ts';
import { checkTemplateSend } from './check-template-send.ts';
import { findFailure } from './find-failure.ts';
import { GraphError } from './graph-error.ts';
import { orderedRefusal } from './ordered-refusal.ts';
import { type Recipient, resolveRecipient } from './resolve-recipient.ts';

export type Accepted = {
  answer: Dict;
  script: Script | undefined;
  /** Resolves after the webhooks of statuses ordered before the answer. */
  settled: Promise<void>;
};

/**
 * Accepts or refuses one send in the platform's order: body, template, rates, then the script of the recipient's number. Throws
 * GraphError for a refusal. The caller plays connection faults.
 */
export function sendMessage(
  world: World,
  sender: Sender,
  number: BusinessNumber,
  body: Dict,
  api_major: number,
  route: SendRoute = 'messages',
): Accepted {
  const send = checkSend(body);
  const recipient = resolveRecipient(world, send.to, send.recipient);
  if (recipient.wa_id === number.digits) throw new GraphError(131021);
  if (!number.registered || number.status === 'DISCONNECTED') throw new GraphError(133010);
  if (number.status === 'BANNED' || number.status === 'RESTRICTED') throw new GraphError(131031);
  if (isMediaType(send.type)) checkMediaId(world, send);
  const template =
    send.type === 'template'
      ? checkTemplateSend(world.templates.values(), number.waba_id, send.content as Dict)
      : undefined;
  if (route === 'marketing_messages' && template?.category !== 'MARKETING') throw new GraphError(100);
  if (template?.category === 'AUTHENTICATION' && send.to === undefined) throw new GraphError(131062);

  const now = world.now();
  const wa_id = recipient.wa_id ?? '';
  checkThroughput(world, number, now);
  checkPairRate(world, world.conversations.get(number.phone_number_id, wa_id), now);

  const conversation = world.conversations.getOrMake(number.phone_number_id, wa_id, now);
  const script = useScript(world, conversation, wa_id);
  if (script?.effect.kind === 'refuse') throw orderedRefusal(script.effect.code, now);
  if (script?.effect.kind === 'connection' && !script.effect.accepted) {
    return { answer: {}, script, settled: Promise.resolve() };
  }
  countMessage(number, conversation, world.switches, now);
  openFreeTime(conversation, now);
  if (conversation.held_by_agent) handOver(world, sender, number, wa_id, 'business');

  const message: ChatMessage = {
    id: makeWamid(wa_id || '0', 'outbound', world.random),
    direction: 'outbound',
    phone_number_id: number.phone_number_id,
    wa_id,
    type: send.type,
    content: send.content,
    at: now,
    status: 'accepted',
    body,
    to: recipient.input,
    api_major,
    route,
    ...(now < (conversation.free_until ?? 0) && { in_free_time: true }),
    ...(send.context_id !== undefined && { context_id: send.context_id }),
    ...(send.callback_data !== undefined && { callback_data: send.callback_data }),
    ...(template && { template }),
    ...(script && { script }),
  };
  return { answer: answerOf(recipient, message), script, settled: accept(world, sender, message, conversation) };
}

/** An answer within a day to a customer who came by an advertisement: everything is free for 72 hours (section 11). */
function openFreeTime(conversation: Chat, now: number): void {
  const { entry_at } = conversation;
  delete conversation.entry_at;
  if (entry_at !== undefined && now < entry_at + 24 * 3_600_000) conversation.free_until = now + 72 * 3_600_000;
}

function accept(world: World, sender: Sender, message: ChatMessage, conversation: Chat): Promise<void> {
  world.ledger.record(message.id, message.phone_number_id, message.to!, message.callback_data, message.at);
  world.messages.add(message);
  if (message.wa_id === '') return Promise.resolve();
  conversation.typing_until = 0;
  conversation.last_id = message.id;
  if (message.type === 'reaction') noteReaction(world, message);
  world.changes.emit('message', message);
  return followMessage(world, sender, message, findFailure(world, message, conversation));
}

/** The script that the number orders for this send; scripts with `times` count their uses. */
function useScript(world: World, conversation: Chat, wa_id: string): Script | undefined {
  const script = world.switches.scripts ? findScript(wa_id) : undefined;
  if (script?.times === undefined) return script;
  conversation.script_uses = (conversation.script_uses ?? 0) + 1;
  return conversation.script_uses <= script.times ? script : undefined;
}

function checkMediaId(world: World, { type, content }: SendBody): void {
  const { id } = content as Dict;
  if (id === undefined || world.media.get(String(id), world.now()) !== undefined) return;
  throw new GraphError(100, {
    message: `(#100) Param ${type}['id'] is not a valid whatsapp business account media attachment ID`,
  });
}

function noteReaction(world: World, message: ChatMessage): void {
  const { message_id, emoji } = message.content as Dict;
  const target = world.messages.get(String(message_id));
  if (target === undefined) return;
  const { customer } = target.reactions ?? {};
  target.reactions = { ...(customer && { customer }), ...(emoji ? { business: String(emoji) } : {}) };
  world.changes.emit('message', target);
}

function answerOf({ input, wa_id, user_id }: Recipient, { id, template, script }: ChatMessage): Dict {
  const order = script?.effect.kind === 'statuses' ? script.effect.order : undefined;
  const held = order === 'held' || order === 'held_then_failed';
  const message_status = held ? 'held_for_quality_assessment' : 'accepted';
  return {
    messaging_product: 'whatsapp',
    contacts: [{ input, ...(user_id === undefined ? { wa_id: wa_id ?? input } : { user_id }) }],
    messages: [{ id, ...(template && { message_status }) }],
  };
}
