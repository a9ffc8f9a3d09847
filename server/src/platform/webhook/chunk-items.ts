import type { JsonObject } from '../json-object.ts';
import { isObject, readArray, readMember } from '../read-json.ts';
import { divideValue, withoutUnknown } from './value-lists.ts';

/**
 * Divides a notification about one customer into ones of at most `most` items each, in order. A message keeps the profile of its
 * sender, and the first of them the unknown members. Answers the same object where nothing is divided.
 */
export function chunkItems(body: unknown, most: number): unknown[] {
  const pieces = readArray(readMember(body, 'entry')).flatMap((entry) =>
    readArray(readMember(entry, 'changes'))
      .flatMap((change) => chunkChange(change, most))
      .map(({ change, count }) => ({ entry: { ...(entry as JsonObject), changes: [change] }, count })),
  );
  const chunks: unknown[][] = [];
  let room = 0;
  for (const { entry, count } of pieces) {
    if (count > room) {
      chunks.push([]);
      room = most;
    }
    chunks.at(-1)!.push(entry);
    room -= count;
  }
  return chunks.length < 2 ? [body] : chunks.map((entry) => ({ ...(body as JsonObject), entry }));
}

// Lists whose items belong to the contacts beside them.
const profiled = new Set(['messages', 'calls', 'user_actions']);

interface Piece {
  change: unknown;
  count: number;
}

function chunkChange(change: unknown, most: number): Piece[] {
  const value = readMember(change, 'value');
  const divided = isObject(value) ? divideValue(readMember(change, 'field'), value) : undefined;
  if (!isObject(value) || value.metadata === undefined || !divided) return [{ change, count: 1 }];
  const lists = divided.lists.filter(([name]) => name !== 'contacts');
  const count = lists.reduce((sum, [, list]) => sum + list.length, 0);
  if (count <= most && readArray(value.contacts).length <= most) return [{ change, count: Math.max(1, count) }];
  const emptied = Object.fromEntries(lists.map(([name]) => [name, []]));
  const common = { ...withoutUnknown(value, divided), ...emptied, contacts: [] };
  const profiles = profilesIn(value.contacts);
  const parts: { part: JsonObject; count: number }[] = lists.flatMap(([name, list]) =>
    slicesOf(list, most).map((slice) => {
      const contacts = profiled.has(name) ? profiles.of(slice) : [];
      return { part: { contacts, [name]: slice }, count: slice.length };
    }),
  );
  if (Object.keys(divided.unknown).length > 0) {
    const { part, count } = parts[0] ?? { part: {}, count: 1 };
    parts[0] = { part: { ...divided.unknown, ...part }, count };
  }
  return parts.map(({ part, count }) => ({
    change: { ...(change as JsonObject), value: { ...common, ...part } },
    count,
  }));
}

function slicesOf(items: unknown[], most: number): unknown[][] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, n) => items.slice(n * most, (n + 1) * most));
}

/** Finds the first profile that has the number or the user id of a message, or the only profile. */
function profilesIn(list: unknown) {
  const contacts = readArray(list);
  const places = new Map<unknown, number>();
  for (const [place, contact] of contacts.entries()) {
    for (const member of ['wa_id', 'user_id']) {
      const key = `${member} ${readMember(contact, member)}`;
      if (!places.has(key)) places.set(key, place);
    }
  }
  const placesOf = (message: unknown) =>
    [`wa_id ${readMember(message, 'from')}`, `user_id ${readMember(message, 'from_user_id')}`].flatMap(
      (key) => places.get(key) ?? [],
    );
  return {
    of(messages: readonly unknown[]): unknown[] {
      if (contacts.length === 1) return contacts;
      // A message that names nobody would belong to a profile that is alone.
      const named = new Set([0, 1, ...messages.flatMap(placesOf)].slice(contacts.length === 0 ? 2 : 0));
      return [...named].sort((a, b) => a - b).map((place) => contacts[place]);
    },
  };
}
