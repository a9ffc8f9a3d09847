import type { Dict } from '../world/message.ts';

/** One item for the business. Items of one number and list may share a `value`. */
export type Notification = {
  waba_id: string;
  field: string;
  /** Members that are equal in notifications that share a value. */
  head: Dict;
  contacts?: Dict[];
  /** `messages`, `statuses`…; absent: `head` is the whole value. */
  list?: { name: string; item: Dict };
  /** The list stands one level deeper, as the field `standby` has it. */
  is_standby?: boolean;
  /** Whole seconds for `entry[].time`; absent for the field `messages`. */
  time?: number;
};

type Value = Dict & { contacts?: Dict[]; standby?: Dict };

/**
 * Composes the body of a webhook (section 6.3). Adjacent items of one number and list share a value, other items of one account
 * share an entry. So a batch uses all three levels that a receiver must iterate.
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

function addTo(value: Value, { contacts, list, is_standby }: Notification): void {
  if (contacts !== undefined) {
    value.contacts ??= [];
    const known = new Set(value.contacts.map((contact) => JSON.stringify(contact)));
    const fresh = contacts.filter((contact) => !known.has(JSON.stringify(contact)));
    for (const contact of fresh) value.contacts.push(contact);
  }
  if (list === undefined) return;
  if (is_standby) value.standby ??= {};
  const lists = is_standby ? value.standby! : value;
  const items = lists[list.name] as Dict[] | undefined;
  if (items === undefined) lists[list.name] = [list.item];
  else items.push(list.item);
}
