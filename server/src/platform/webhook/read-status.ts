import type { PaymentItem } from '../customer-items.ts';
import { loggableWord } from '../loggable-name.ts';
import type { StatusItem } from '../message-items.ts';
import type { NumberOrigin } from '../origin.ts';
import { describeFailure, readFirstError } from '../read-error.ts';
import { isObject, readId, readMember, readText, readWord } from '../read-json.ts';
import { readPastTimestamp } from '../read-timestamp.ts';
import { isOfGroup } from './is-of-group.ts';
import { readCustomerIds } from './read-customer-ids.ts';
import { readPayment } from './read-message-report.ts';

/**
 * Reads one of `statuses[]` (section 8). `deleted` and `warning` carry no delivery outcome. A status without a readable
 * timestamp counts all the same.
 */
export function readStatus(value: unknown, origin: NumberOrigin): StatusItem | PaymentItem | string {
  if (!isObject(value)) return 'status is not an object';
  if (isOfGroup(value) || readId(value.recipient_participant_id) !== undefined) return 'status of a group';
  if (readWord(value.type) === 'payment') return readPayment(value, origin);
  const name = loggableWord(value.status);
  const status = statuses.get(name);
  if (status === undefined) return `status ${name}`;
  const platform_message_id = readText(value.id);
  if (platform_message_id === undefined) return 'status without id';
  const at = readPastTimestamp(value.timestamp, origin);

  const callback_data = readText(value.biz_opaque_callback_data);
  const isFailed = status === 'failed';
  const error_code = isFailed ? readFirstError(value.errors)?.code : undefined;
  const pricing = readPricing(value.pricing);
  const conversation_id = readText(readMember(value.conversation, 'id'));
  return {
    type: 'status',
    ...origin,
    platform_message_id,
    ...readCustomerIds(value.recipient_id, value.recipient_user_id),
    status,
    ...(at && { at }),
    ...(callback_data ? { callback_data } : {}),
    ...(isFailed ? { error: describeFailure(value.errors) } : {}),
    ...(error_code !== undefined ? { error_code } : {}),
    ...(pricing ? { pricing } : {}),
    ...(conversation_id ? { conversation_id } : {}),
  };
}

const statuses = new Map<string, StatusItem['status']>([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
]);

const truths = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [1, true],
  ['1', true],
  [false, false],
  ['false', false],
  [0, false],
  ['0', false],
]);

function readPricing(value: unknown): StatusItem['pricing'] {
  if (!isObject(value)) return undefined;
  const model = readWord(value.pricing_model)?.toUpperCase();
  const type = readWord(value.type);
  const billable = truths.get(readWord(value.billable) ?? value.billable);
  const category = readWord(value.category);
  return {
    ...(billable !== undefined ? { billable } : {}),
    ...(model ? { model } : {}),
    ...(type ? { type } : {}),
    ...(category ? { category } : {}),
  };
}
