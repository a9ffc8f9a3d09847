import type { CustomerIds } from '../origin.ts';
import { readArray, readId, readMember } from '../read-json.ts';
import { readCustomerIds } from './read-customer-ids.ts';

/** A customer, with the entry of `contacts[]` that describes them. */
export interface FoundCustomer {
  ids: CustomerIds;
  contact: unknown;
}

/** Finds the customer of an item by number or user id. An item without either belongs to the only contact, where there is one. */
export function findCustomer(number: unknown, user_id: unknown, contacts: unknown): FoundCustomer {
  const named = readCustomerIds(number, user_id);
  const list = readArray(contacts).map((contact) => {
    return { contact, ids: readCustomerIds(readMember(contact, 'wa_id'), readMember(contact, 'user_id')) };
  });
  const isUnnamed = [number, user_id].every((id) => readId(id) === undefined);
  const only = isUnnamed && list.length === 1 ? list[0] : undefined;
  const found = only ?? list.find(({ ids }) => share(ids, named));
  return { ids: { ...found?.ids, ...named }, contact: found?.contact };
}

function share(one: CustomerIds, other: CustomerIds): boolean {
  return (['wa_id', 'user_id'] as const).some((id) => one[id] !== undefined && one[id] === other[id]);
}
