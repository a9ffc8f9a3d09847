import { readText } from '../read-json.ts';
import type { CustomerIds } from '../types.ts';

/**
 * A customer by number and by business-scoped user id (section 12). Either may be absent or `""`. An id of the second form found
 * where a number belongs is taken for what it is: it must never be dialled.
 */
export function readCustomerIds(number: unknown, user_id: unknown): CustomerIds {
  const wa_id = /^\+?(\d{5,20})$/.exec(readText(number) ?? '')?.[1];
  const scoped_id = [user_id, number].map(readText).find((text) => text !== undefined && scopedId.test(text));
  return { ...(wa_id ? { wa_id } : {}), ...(scoped_id ? { user_id: scoped_id } : {}) };
}

/** `US.13491208655302741918`, or `US.ENT.…` for linked portfolios. */
const scopedId = /^[A-Z]{2}\.[A-Za-z0-9.]{1,140}$/;

export function hasNoId(person: CustomerIds): boolean {
  return person.wa_id === undefined && person.user_id === undefined;
}
