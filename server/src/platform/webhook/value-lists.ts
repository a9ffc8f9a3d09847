import type { JsonObject } from '../json-object.ts';

// The lists that each field of a number brings, as `parseNotification` shapes them. Their items are read one by one.
const said = ['messages', 'statuses', 'user_actions'];
const listsOfFields = new Map<string, readonly string[]>([
  ['messages', said],
  ['standby', [...said, 'message_echoes']],
  ['messaging_handovers', ['handovers']],
  ['smb_message_echoes', ['message_echoes']],
  ['calls', ['calls', 'statuses']],
  ['history', ['imported', 'refusals', 'progress']],
  ['smb_app_state_sync', ['address_book']],
  ['user_preferences', ['user_preferences']],
]);

// Every field of a number may bring them.
const commonLists = ['contacts', 'errors'];
const envelope = new Set(['messaging_product', 'metadata']);

/** Whether a member tells of which number the value is, and of which product. */
export function isEnvelope(name: string): boolean {
  return envelope.has(name);
}

/** The lists of a value whose items are read, and its other members, which nobody knows. */
export interface DividedValue {
  lists: [name: string, items: unknown[]][];
  unknown: JsonObject;
}

/** Divides the value of a field of a number. Undefined for another field. An empty value is no unknown member. */
export function divideValue(field: unknown, value: JsonObject): DividedValue | undefined {
  const own = listsOfFields.get(String(field));
  if (own === undefined) return undefined;
  const divided: DividedValue = { lists: [], unknown: {} };
  for (const [name, member] of Object.entries(value)) {
    const isList = own.includes(name) || commonLists.includes(name);
    if (isList && Array.isArray(member)) divided.lists.push([name, member]);
    else if (!isEnvelope(name) && !isEmpty(member)) divided.unknown[name] = member;
  }
  return divided;
}

function isEmpty(member: unknown): boolean {
  return member === undefined || member === null || member === '' || (Array.isArray(member) && member.length === 0);
}

/** A value without its unknown members, for the parts of a notification after the one that keeps them. */
export function withoutUnknown(value: JsonObject, { unknown }: DividedValue): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(unknown, name)));
}
