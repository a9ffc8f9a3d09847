import { isObject, readArray, readMember } from '../read-json.ts';
import type { JsonObject } from '../types.ts';

/**
 * What is left of a notification when everything about one person is taken out: their messages, their profile, the
 * statuses of what was sent to them. `names` are the platform's: digits of a number, user ids. What others wrote stays
 * as it is, even where it mentions them. The same object where nothing is about them.
 */
export function forgetPerson(body: unknown, names: ReadonlySet<string>): unknown {
  return mapMember(body, 'entry', (entry) =>
    mapMember(entry, 'changes', (change) => {
      const value = readMember(change, 'value');
      const left = isObject(value) ? withoutPerson(value, names) : value;
      return left === value ? change : { ...(change as JsonObject), value: left };
    }),
  );
}

/** The object with each entry of one of its lists mapped. */
function mapMember(object: unknown, name: string, map: (entry: unknown) => unknown): unknown {
  const before = readArray(readMember(object, name));
  const after = before.map(map);
  return after.every((entry, place) => entry === before[place]) ? object : { ...(object as JsonObject), [name]: after };
}

/** Messages, profiles, statuses and preferences are lists, and each entry says in its own members whose it is. */
function withoutPerson(value: JsonObject, names: ReadonlySet<string>): JsonObject {
  const isAbout = (entry: unknown) =>
    isObject(entry) && Object.values(entry).some((member) => typeof member === 'string' && names.has(member));
  const lists = Object.entries(value).filter(([, list]) => readArray(list).some(isAbout));
  if (lists.length === 0) return value;
  const left = lists.map(([name, list]) => [name, readArray(list).filter((entry) => !isAbout(entry))]);
  return { ...value, ...Object.fromEntries(left) };
}
