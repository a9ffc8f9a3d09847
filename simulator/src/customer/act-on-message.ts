import { headOf } from '../webhooks/report-status.ts';
import type { Sender } from '../webhooks/sender.ts';
import type { ChatMessage, Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';

/** The customer opens the link of a marketing message (`user_actions`). */
export function clickLink(world: World, sender: Sender, number: BusinessNumber, message: ChatMessage): string {
  const click_id = world.random.hex(20);
  const item = {
    action_type: 'marketing_messages_link_click',
    timestamp: secondsOf(world),
    marketing_messages_link_click_data: {
      ...{ click_component: 'cta', click_id, tracking_token: world.random.hex(32) },
    },
    context: { id: message.id },
  };
  notify(sender, number, message, { name: 'user_actions', item });
  return click_id;
}

export type PaymentState = { reference_id: string; status: string; amount?: number; currency?: string };

/** The platform reports the state of a payment that a message asked for (a status of the type `payment`). */
export function reportPayment(
  world: World,
  sender: Sender,
  number: BusinessNumber,
  message: ChatMessage,
  { reference_id, status, amount, currency }: PaymentState,
): void {
  const sum = amount === undefined ? {} : { amount: { value: Math.round(amount * 1000), offset: 1000 }, currency };
  const transaction = { id: world.random.hex(16), type: 'card', status };
  const item = {
    ...{ id: message.id, recipient_id: message.wa_id, type: 'payment', status, timestamp: secondsOf(world) },
    payment: { reference_id, status, ...sum, transaction },
  };
  notify(sender, number, message, { name: 'statuses', item });
}

function notify(
  sender: Sender,
  number: BusinessNumber,
  { wa_id }: ChatMessage,
  list: { name: string; item: Dict },
): void {
  const { waba_id, phone_number_id } = number;
  void sender.notify(
    { waba_id, field: 'messages', head: headOf(number), contacts: [{ wa_id }], list },
    phone_number_id,
  );
}

const secondsOf = (world: World) => String(Math.floor(world.now() / 1000));
