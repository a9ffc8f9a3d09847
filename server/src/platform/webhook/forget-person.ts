import type { JsonObject } from '../json-object.ts';
import { isObject, readArray, readMember } from '../read-json.ts';
import { divideValue } from './value-lists.ts';

/**
 * Removes one customer's messages, profile and statuses from a notification. `names` are the platform's: digits of a number,
 * user ids. Messages of others stay, even where they mention the customer. Answers the same object where nothing changes.
 */
export function forgetPerson(body: unknown, names: ReadonlySet<string>): unknown {
  return mapMember(body, 'entry', (entry) =>
    mapMember(entry, 'changes', (change) => {
      const value = readMember(change, 'value');
      const left = isObject(value) ? withoutPerson(withoutNaming(change, value, names), names) : value;
      return left === value ? change : { ...(change as JsonObject), value: left };
    }),
  );
}

/** Maps the entries of one list of an object. */
function mapMember(object: unknown, name: string, map: (entry: unknown) => unknown): unknown {
  const before = readArray(readMember(object, name));
  const after = before.map(map);
  return after.every((entry, place) => entry === before[place]) ? object : { ...(object as JsonObject), [name]: after };
}

/** An unknown member is kept as it came, so the whole of it goes where it names the customer, as its notice does. */
function withoutNaming(change: unknown, value: JsonObject, names: ReadonlySet<string>): JsonObject {
  const { unknown = {} } = divideValue(readMember(change, 'field'), value) ?? {};
  const naming = Object.entries(unknown).flatMap(([name, member]) => {
    const text = JSON.stringify(member);
    return [...names].some((one) => text.includes(one)) ? [name] : [];
  });
  if (naming.length === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !naming.includes(name)));
}

/**
 * Messages, profiles, statuses and preferences are lists whose entries name their customer in a member. A notice of a changed
 * number has the new one in its member `system`.
 */
function withoutPerson(value: JsonObject, names: ReadonlySet<string>): JsonObject {
  const isNamed = (entry: unknown) =>
    isObject(entry) && Object.values(entry).some((member) => typeof member === 'string' && names.has(member));
  const isAbout = (entry: unknown) => isNamed(entry) || isNamed(readMember(entry, 'system'));
  const lists = Object.entries(value).filter(([, list]) => readArray(list).some(isAbout));
  if (lists.length === 0) return value;
  const left = lists.map(([name, list]) => [name, readArray(list).filter((entry) => !isAbout(entry))]);
  return { ...value, ...Object.fromEntries(left) };
}
