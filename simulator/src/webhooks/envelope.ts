import type { Dict } from '../world/message.ts';

/** One thing to tell the business. Those of one number and list may share a `value`. */
export type Notification = {
  waba_id: string;
  field: string;
  /** Members that must be equal for two notifications to share a value. */
  head: Dict;
  contacts?: Dict[];
  /** `messages`, `statuses`…; absent: `head` is the whole value. */
  list?: { name: string; item: Dict };
  /** Whole seconds, on `entry[].time` of every field but `messages`. */
  time?: number;
};

type Value = Dict & { contacts?: Dict[] };

/**
 * The body of one webhook (section 6.3). Neighbours of the same number and list are put in one value, other items
 * of the same account in one entry, so that a batch uses all three levels that a receiver must walk.
 */
export function makeEnvelope(notifications: Notification[]): Dict {
  const entries: { id: string; time?: number; changes: { field: string; value: Value }[] }[] = [];
  let last: { notification: Notification; value: Value } | undefined;

  for (const notification of notifications) {
    if (last !== undefined && canShare(last.notification, notification)) {
      addTo(last.value, notification);
      continue;
    }
    const { waba_id, field, time, head } = notification;
    const value: Value = { ...head };
    addTo(value, notification);
    const entry = entries.at(-1);
    if (entry?.id === waba_id && entry.time === time) entry.changes.push({ field, value });
    else entries.push({ id: waba_id, ...(time !== undefined && { time }), changes: [{ field, value }] });
    last = { notification, value };
  }
  return { object: 'whatsapp_business_account', entry: entries };
}

function canShare(one: Notification, other: Notification): boolean {
  return (
    one.list !== undefined &&
    one.list.name === other.list?.name &&
    one.field === other.field &&
    one.waba_id === other.waba_id &&
    JSON.stringify(one.head) === JSON.stringify(other.head)
  );
}

function addTo(value: Value, { contacts, list }: Notification): void {
  if (contacts !== undefined) {
    value.contacts ??= [];
    const known = new Set(value.contacts.map((contact) => JSON.stringify(contact)));
    value.contacts.push(...contacts.filter((contact) => !known.has(JSON.stringify(contact))));
  }
  if (list === undefined) return;
  const items = value[list.name] as Dict[] | undefined;
  if (items === undefined) value[list.name] = [list.item];
  else items.push(list.item);
}
