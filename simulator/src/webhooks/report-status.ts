import { asyncError } from '../graph/error-codes.ts';
import type { ChatMessage, Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';
import type { Notification } from './envelope.ts';
import type { Step } from './plan-statuses.ts';
import { priceMessage } from './price-message.ts';
import type { Sender } from './sender.ts';

const rank = { accepted: 0, received: 0, sent: 1, failed: 1, delivered: 2, read: 3, played: 4 };

/** Sets a message's status and notifies the business (section 8). Resolves after the first attempt. */
export async function reportStatus(world: World, sender: Sender, message: ChatMessage, step: Step): Promise<void> {
  const number = world.numbers.get(message.phone_number_id);
  if (number === undefined) return;
  const error = step.code === undefined ? undefined : asyncError(step.code, step.details);
  if (rank[step.status] > rank[message.status] || step.status === 'failed') message.status = step.status;
  if (error !== undefined) message.error = error;
  const notification = statusNotification(world, number, message, step);
  world.changes.emit('message', message);
  const copies = Array.from({ length: step.copies ?? 1 }, () => sender.notify(notification, number.phone_number_id));
  await Promise.all(copies);
}

function statusNotification(world: World, number: BusinessNumber, message: ChatMessage, step: Step): Notification {
  const customer = world.customers.get(message.wa_id);
  const { user_ids } = world.switches;
  const hidden = customer.number_hidden === true;
  const echo = message.script?.suffix === '700014' ? undefined : message.callback_data;
  const failed = step.code === undefined ? undefined : asyncError(step.code, step.details);
  const item: Dict = {
    id: message.id,
    status: step.status,
    timestamp: String(Math.floor(world.now() / 1000)),
    ...(!hidden && { recipient_id: message.wa_id }),
    ...(user_ids && { recipient_user_id: customer.user_id }),
    ...(echo !== undefined && { biz_opaque_callback_data: echo }),
    ...(failed === undefined ? priceMessage(world, message, step) : { errors: [failed] }),
  };
  const contacts = contactsOf(world, message.wa_id, failed !== undefined);
  return {
    waba_id: number.waba_id,
    ...(message.by_agent ? { field: 'standby', is_standby: true } : { field: 'messages' }),
    head: headOf(number),
    ...(contacts && { contacts }),
    list: { name: 'statuses', item },
  };
}

export function headOf(number: BusinessNumber): Dict {
  return {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: number.digits, phone_number_id: number.phone_number_id },
  };
}

function contactsOf(world: World, wa_id: string, failed: boolean): Dict[] | undefined {
  const { status_contacts, user_ids } = world.switches;
  if (status_contacts === 'none') return undefined;
  const customer = world.customers.get(wa_id);
  const id = customer.number_hidden ? {} : { wa_id };
  if (failed) return [id];
  const profile = status_contacts === 'with_profile' && { profile: { name: customer.name } };
  return [{ ...profile, ...id, ...(user_ids && { user_id: customer.user_id }) }];
}
