import type { JsonObject } from '../json-object.ts';
import { isObject, readArray, readId, readMember } from '../read-json.ts';
import { divideValue, withoutUnknown } from './value-lists.ts';

/**
 * Splits a notification into one per sender, so that no customer's messages wait for another's. A sender's profiles, echoes
 * and statuses go with the messages; all other items, and unknown members, go into the first part. Answers the same object for up to
 * one sender.
 */
export function splitBySender(body: unknown): unknown[] {
  const senders = readSenders(body);
  const [first, ...others] = new Set(senders.values());
  if (first === undefined || others.length === 0) return [body];

  const entries = new Map<string, JsonObject[]>([first, ...others].map((sender) => [sender, []]));
  for (const { entry, change } of changesIn(body)) {
    for (const [sender, part] of splitChange(change, senders, first)) {
      entries.get(sender)!.push({ ...(entry as JsonObject), changes: [part] });
    }
  }
  return [...entries.values()].map((entry) => ({ ...(body as JsonObject), entry }));
}

function* changesIn(body: unknown): Generator<{ entry: unknown; change: unknown }> {
  for (const entry of readArray(readMember(body, 'entry'))) {
    for (const change of readArray(readMember(entry, 'changes'))) yield { entry, change };
  }
}

/** Maps every name of a sender to the first name seen of the same customer. */
function readSenders(body: unknown): Map<string, string> {
  const senders = new Map<string, string>();
  for (const { change } of changesIn(body)) {
    const value = readMember(change, 'value');
    for (const list of ['messages', 'handovers', 'imported', 'calls']) {
      for (const said of readArray(readMember(value, list))) joinNames(senders, namesIn(value, said));
    }
  }
  for (const name of senders.keys()) senders.set(name, firstNameOf(senders, name));
  return senders;
}

/** Joins these names, and all senders known by one of them, into one sender. Each name leads to the first one by steps. */
function joinNames(senders: Map<string, string>, names: readonly string[]): void {
  const known = names.filter((name) => senders.has(name)).map((name) => firstNameOf(senders, name));
  const [sender = names[0]] = known;
  if (sender === undefined) return;
  for (const name of [...known, ...names]) if (known.includes(name) || !senders.has(name)) senders.set(name, sender);
}

/** Shortens the way for the next look-up, so that any number of joins takes time in proportion. */
function firstNameOf(senders: Map<string, string>, name: string): string {
  let first = name;
  for (let next = senders.get(first)!; next !== first; next = senders.get(first)!) first = next;
  for (let step = name; step !== first; ) {
    const next = senders.get(step)!;
    senders.set(step, first);
    step = next;
  }
  return first;
}

/** Splits a change into one per sender; each keeps the sender's list items. */
function splitChange(change: unknown, senders: Map<string, string>, first: string): Map<string, unknown> {
  const value = readMember(change, 'value');
  const divided = isObject(value) ? divideValue(readMember(change, 'field'), value) : undefined;
  if (!isObject(value) || value.metadata === undefined || !divided) return new Map([[first, change]]);

  const { lists, unknown } = divided;
  const parts = new Map<string, JsonObject>();
  if (Object.keys(unknown).length > 0) parts.set(first, { ...unknown });
  for (const [name, list] of lists) {
    for (const item of list) {
      const known = namesIn(value, item).find((candidate) => senders.has(candidate));
      const sender = known === undefined ? first : senders.get(known)!;
      const part = parts.get(sender) ?? {};
      parts.set(sender, part);
      part[name] ??= [];
      (part[name] as unknown[]).push(item);
    }
  }
  const emptied = Object.fromEntries(lists.map(([name]) => [name, []]));
  const common = { ...withoutUnknown(value, divided), ...emptied };
  const splitValue = (part: object) => ({ ...(change as JsonObject), value: { ...common, ...part } });
  return new Map([...parts].map(([sender, part]) => [sender, splitValue(part)]));
}

/** All names in an item. An item without names belongs to the only contact, where there is one. */
function namesIn(value: unknown, item: unknown): string[] {
  const number = readId(readMember(readMember(value, 'metadata'), 'phone_number_id'));
  const own = [...namesOf(item), ...namesOf(readMember(item, 'system'))];
  const contacts = readArray(readMember(value, 'contacts'));
  const names = own.length === 0 && contacts.length === 1 ? namesOf(contacts[0]) : own;
  return names.map((name) => `${number} ${name}`);
}

function namesOf(item: unknown): string[] {
  return nameMembers.flatMap((member) => readId(readMember(item, member)) ?? []);
}

// In order: messages and notices of a new number; then echoes, statuses, profiles and preferences.
const nameMembers = [
  ...['from', 'from_user_id', 'new_wa_id', 'previous_user_id'],
  ...['to', 'to_user_id', 'recipient_id', 'recipient_user_id', 'wa_id', 'user_id'],
];
