import { followMessage } from '../webhooks/follow-message.ts';
import { headOf } from '../webhooks/report-status.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { Chat, ChatMessage } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import { makeWamid } from '../world/wamid.ts';
import type { World } from '../world/world.ts';

const agent = 'meta_business_agent';

/** The field that reports messages of a chat. While the platform's own agent has it, the business only listens. */
export function fieldOf({ held_by_agent }: Chat): { field: string; is_standby?: true } {
  return held_by_agent ? { field: 'standby', is_standby: true } : { field: 'messages' };
}

/** Gives a chat to the platform's own agent, or to the business, and notifies the business. */
export function handOver(
  world: World,
  sender: Sender,
  number: BusinessNumber,
  wa_id: string,
  to: 'agent' | 'business',
): void {
  world.conversations.getOrMake(number.phone_number_id, wa_id, world.now()).held_by_agent = to === 'agent';
  const { phone_number_id, digits, waba_id } = number;
  const change =
    to === 'agent'
      ? { type: 'control_taken', control_taken: { previous_owner_app_role: 'partner_app' } }
      : { type: 'control_passed', control_passed: { previous_owner_app_role: agent } };
  const recipient = { phone_number_id, display_phone_number: digits };
  const time = Math.floor(world.now() / 1000);
  const head = { sender: { phone_number: wa_id }, recipient, timestamp: String(time), ...change };
  void sender.notify({ waba_id, field: 'messaging_handovers', time, head }, phone_number_id);
}

/** Writes a message of the platform's own agent to the customer. The business gets its echo. */
export function answerAsAgent(
  world: World,
  sender: Sender,
  number: BusinessNumber,
  wa_id: string,
  text: string,
): ChatMessage {
  const { phone_number_id, waba_id, digits } = number;
  const at = world.now();
  const chat = world.conversations.getOrMake(phone_number_id, wa_id, at);
  const message: ChatMessage = {
    id: makeWamid(wa_id, 'outbound', world.random),
    direction: 'outbound',
    by_agent: true,
    phone_number_id,
    wa_id,
    type: 'text',
    content: { body: text },
    at,
    status: 'accepted',
  };
  chat.last_id = message.id;
  world.messages.add(message);
  world.changes.emit('message', message);
  const timestamp = String(Math.floor(at / 1000));
  const item = { from: digits, to: wa_id, id: message.id, timestamp, type: 'text', text: message.content };
  const list = { name: 'message_echoes', item };
  void sender.notify({ waba_id, field: 'standby', is_standby: true, head: headOf(number), list }, phone_number_id);
  void followMessage(world, sender, message, undefined);
  return message;
}
