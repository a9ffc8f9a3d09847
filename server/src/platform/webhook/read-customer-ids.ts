import type { CustomerIds } from '../origin.ts';
import { readId, readText } from '../read-json.ts';

/**
 * Reads a customer's number and business-scoped user id (section 12). Either may be absent or `""`. A number may be written as people
 * write it, or as a JSON integer. A user id in its place is read as a user id: no call may use it as a number.
 */
export function readCustomerIds(number: unknown, user_id: unknown): CustomerIds {
  const wa_id = /^(?:\+|00)?(\d{5,20})$/.exec(readId(number)?.replace(/[\s().-]/g, '') ?? '')?.[1];
  const scoped_id = [user_id, number].map(readText).find((text) => text !== undefined && scopedId.test(text));
  return { ...(wa_id ? { wa_id } : {}), ...(scoped_id ? { user_id: scoped_id } : {}) };
}

/** `US.13491208655302741918`, or `US.ENT.…` for linked portfolios. */
const scopedId = /^[A-Z]{2}\.[A-Za-z0-9.]{1,140}$/;

export function hasNoId(person: CustomerIds): boolean {
  return person.wa_id === undefined && person.user_id === undefined;
}
