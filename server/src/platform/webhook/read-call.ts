import type { CallItem } from '../customer-items.ts';
import type { JsonObject } from '../json-object.ts';
import { loggableWord } from '../loggable-name.ts';
import type { NumberOrigin } from '../origin.ts';
import { isObject, readArray, readId, readInteger, readMember, readText, readWord } from '../read-json.ts';
import { readMoment, readTimestamp } from '../read-timestamp.ts';
import { readVisible } from '../read-visible.ts';
import { findCustomer } from './find-customer.ts';
import { isOfGroup } from './is-of-group.ts';
import { hasNoId, readCustomerIds } from './read-customer-ids.ts';

/** Reads the field `calls`: the beginnings and ends of calls, and what became of them in between. */
export function readCalls(value: JsonObject, origin: NumberOrigin): (CallItem | string)[] {
  return [
    ...readArray(value.calls).map((call) => readCall(call, value.contacts, origin)),
    ...readArray(value.statuses).map((status) => readCallStatus(status, origin)),
  ];
}

const events = new Map<string, CallItem['event']>([
  ['connect', 'begun'],
  ['terminate', 'ended'],
]);

function readCall(value: unknown, contacts: unknown, origin: NumberOrigin): CallItem | string {
  if (!isObject(value)) return 'call is not an object';
  if (isOfGroup(value)) return 'call of a group';
  const name = loggableWord(value.event);
  const event = events.get(name);
  if (event === undefined) return `call ${name}`;
  const by = isOfBusiness(value, origin) ? 'business' : 'customer';
  const [number, user] = by === 'business' ? ['to', 'to_user_id'] : ['from', 'from_user_id'];
  const { ids, contact } = findCustomer(value[number!], value[user!], contacts);
  const common = readCommonOf(value, ids, origin);
  if (typeof common === 'string') return common;
  const profile_name = readVisible(readMember(readMember(contact, 'profile'), 'name'));
  const duration_seconds = readDuration(value);
  return {
    ...common,
    event,
    by,
    ...(profile_name ? { profile_name } : {}),
    ...(duration_seconds !== undefined && duration_seconds > 0 ? { duration_seconds } : {}),
  };
}

/** Where no direction is stated, the number that calls tells it. */
function isOfBusiness({ direction, from }: JsonObject, { display_phone }: NumberOrigin): boolean {
  const stated = readWord(direction);
  if (stated !== undefined) return stated === 'business_initiated';
  return display_phone !== undefined && readId(from)?.replace(/\D/g, '') === display_phone;
}

/** The stated duration, or the seconds of a completed call from its start to its end, at least one. */
function readDuration({ duration, status, start_time, end_time, timestamp }: JsonObject): number | undefined {
  const stated = readInteger(duration);
  if (stated !== undefined) return stated;
  const [start, end] = [readTimestamp(start_time), readTimestamp(end_time) ?? readTimestamp(timestamp)];
  if (!isCompleted(status) || start === undefined || end === undefined || end < start) return undefined;
  return Math.max(1, Math.round((end.getTime() - start.getTime()) / 1000));
}

/** In places the platform writes a list of one. */
function isCompleted(status: unknown): boolean {
  return readWord(Array.isArray(status) ? status[0] : status) === 'completed';
}

// The platform reports these of calls of the business alone.
const statuses = new Map<string, CallItem['event']>([
  ['ringing', 'ringing'],
  ['accepted', 'accepted'],
  ['rejected', 'rejected'],
]);

function readCallStatus(value: unknown, origin: NumberOrigin): CallItem | string {
  if (!isObject(value)) return 'status of a call is not an object';
  if (isOfGroup(value)) return 'status of a call of a group';
  const name = loggableWord(value.status);
  const event = statuses.get(name);
  if (event === undefined) return `status of a call ${name}`;
  const common = readCommonOf(value, readCustomerIds(value.recipient_id, value.recipient_user_id), origin);
  return typeof common === 'string' ? common : { ...common, event };
}

function readCommonOf(value: JsonObject, person: ReturnType<typeof readCustomerIds>, origin: NumberOrigin) {
  const call_id = readText(value.id);
  const at = readMoment(value.timestamp, origin);
  if (call_id === undefined || at === undefined) return 'call without id or timestamp';
  if (hasNoId(person)) return 'call of nobody';
  return { type: 'call' as const, ...origin, ...person, call_id, at };
}
