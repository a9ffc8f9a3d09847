import type { JsonObject } from '../json-object.ts';
import { parsePlatformJson } from '../parse-platform-json.ts';
import { isObject, readArray, readMember } from '../read-json.ts';
import { flattenAddressBook, flattenHistory } from './flatten-coexistence.ts';
import { isEnvelope } from './value-lists.ts';

const unwrapped = ['"standby"', '"messaging_handovers"', '"history"', '"smb_app_state_sync"'];

/**
 * Parses a notification; throws SyntaxError. Changes of the field `standby` are unwrapped, each notice of
 * `messaging_handovers` gets the shape of a change of a number, and what the phone app shares becomes one list, so that nothing
 * else knows their depth. A parsed notification that is stored and parsed again stays the same.
 */
export function parseNotification(text: string): unknown {
  const body = parsePlatformJson(text);
  // Nearly no notification is of these fields, and the look for their names costs less than a copy.
  return unwrapped.some((name) => text.includes(name)) ? unwrap(body) : body;
}

function unwrap(body: unknown): unknown {
  const entries = readArray(readMember(body, 'entry'));
  if (!isObject(body) || entries.length === 0) return body;
  const entry = entries.map((one) => {
    if (!isObject(one)) return one;
    return { ...one, changes: readArray(one.changes).map((change) => unwrapChange(change, one.time)) };
  });
  return { ...body, entry };
}

function unwrapChange(change: unknown, time: unknown): unknown {
  const value = readMember(change, 'value');
  if (!isObject(change) || !isObject(value)) return change;
  if (change.field === 'standby' && isObject(value.standby)) {
    const { standby, ...beside } = value;
    return { ...change, value: joined(beside, standby) };
  }
  if (change.field === 'messaging_handovers' && !Array.isArray(value.handovers)) {
    return { ...change, value: { metadata: metadataOf(value), handovers: [customerFirst(value, time)] } };
  }
  if (change.field === 'history' && !Array.isArray(value.imported)) return { ...change, value: flattenHistory(value) };
  if (change.field === 'smb_app_state_sync' && !Array.isArray(value.address_book)) {
    return { ...change, value: flattenAddressBook(value) };
  }
  return change;
}

/** The members of both. Lists of one name become one, and another member of one name becomes a list of both. */
function joined(beside: JsonObject, inner: JsonObject): JsonObject {
  const both = Object.entries(inner).filter(([name]) => Object.hasOwn(beside, name) && !isEnvelope(name));
  const lists = both.map(([name, member]) => [name, [beside[name], member].flat()]);
  return { ...beside, ...inner, ...Object.fromEntries(lists) };
}

/** A notice names its number as the recipient. */
function metadataOf({ metadata, recipient }: JsonObject): unknown {
  return isObject(metadata) ? metadata : recipient;
}

/** Names the customer as messages do. The time of the entry stands in for a missing one. */
function customerFirst({ metadata, recipient, sender, ...notice }: JsonObject, time: unknown): JsonObject {
  return {
    from: readMember(sender, 'phone_number') ?? readMember(sender, 'wa_id'),
    from_user_id: readMember(sender, 'user_id'),
    timestamp: time,
    ...notice,
  };
}
