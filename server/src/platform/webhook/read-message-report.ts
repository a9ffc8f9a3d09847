import type { ClickItem, PaymentItem } from '../customer-items.ts';
import type { JsonObject } from '../json-object.ts';
import { loggableName } from '../loggable-name.ts';
import type { NumberOrigin } from '../origin.ts';
import { isObject, readId, readInteger, readMember, readText } from '../read-json.ts';
import { readMoment } from '../read-timestamp.ts';
import { readVisible } from '../read-visible.ts';
import { findCustomer } from './find-customer.ts';
import { readCustomerIds } from './read-customer-ids.ts';

// What the platform reports about a message beyond its delivery.

const clickData = 'marketing_messages_link_click_data';

/** Reads one of `user_actions[]`: the customer opened a link of a marketing message. It is no message. */
export function readUserAction(value: unknown, contacts: unknown, origin: NumberOrigin): ClickItem | string {
  if (!isObject(value)) return 'user action is not an object';
  if (value.action_type !== 'marketing_messages_link_click') return `user action ${loggableName(value.action_type)}`;
  const data = value[clickData];
  const click_id = readId(readMember(data, 'click_id'));
  const at = readMoment(value.timestamp, origin);
  if (click_id === undefined || at === undefined) return 'click without id or timestamp';
  const platform_message_id =
    readText(readMember(value.context, 'id')) ?? readText(value.message_id) ?? readText(readMember(data, 'message_id'));
  const [number, user_id] = [
    readId(value.from) ?? value.recipient_id,
    readId(value.from_user_id) ?? value.recipient_user_id,
  ];
  const component = readVisible(readMember(data, 'click_component'));
  return {
    type: 'click',
    ...origin,
    ...findCustomer(number, user_id, contacts).ids,
    click_id,
    at,
    ...(platform_message_id ? { platform_message_id } : {}),
    ...(component ? { component } : {}),
    raw: value,
  };
}

/** Reads a status of the type `payment`. */
export function readPayment(value: JsonObject, origin: NumberOrigin): PaymentItem | string {
  const { payment } = value;
  const reference_id = readVisible(readId(readMember(payment, 'reference_id')));
  const status = readVisible(readMember(payment, 'status')) ?? readVisible(value.status);
  const at = readMoment(value.timestamp, origin);
  if (reference_id === undefined || status === undefined || at === undefined) {
    return 'payment without reference, status or timestamp';
  }
  const platform_message_id = readText(value.id);
  const callback_data = readText(value.biz_opaque_callback_data);
  const amount = readAmount(readMember(payment, 'amount') ?? readMember(readMember(payment, 'transaction'), 'amount'));
  const currency = readVisible(readMember(payment, 'currency'));
  return {
    type: 'payment',
    ...origin,
    ...readCustomerIds(value.recipient_id, value.recipient_user_id),
    reference_id,
    status,
    at,
    ...(platform_message_id ? { platform_message_id } : {}),
    ...(callback_data ? { callback_data } : {}),
    ...(amount !== undefined && currency ? { amount, currency } : {}),
    raw: value,
  };
}

/** The value of `{ value, offset }`, whose offset is the number of parts of a unit. */
function readAmount(value: unknown): number | undefined {
  const [whole, offset] = [readInteger(readMember(value, 'value')), readInteger(readMember(value, 'offset')) ?? 1];
  return whole === undefined || offset < 1 ? undefined : whole / offset;
}
