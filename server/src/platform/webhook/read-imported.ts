import type { AddressBookItem } from '../customer-items.ts';
import type { JsonObject } from '../json-object.ts';
import type { HistoryProgressItem, ImportedItem, RevisionItem } from '../message-items.ts';
import type { CustomerIds, NumberOrigin } from '../origin.ts';
import { isObject, readId, readInteger, readMember, readText, readWord } from '../read-json.ts';
import { readMoment, readPastTimestamp } from '../read-timestamp.ts';
import { readVisible } from '../read-visible.ts';
import { isGroupId, isOfGroup } from './is-of-group.ts';
import { hasNoId, readCustomerIds } from './read-customer-ids.ts';
import { readCommon, readNotice } from './read-message.ts';

/** Reads a message of the phone app's history, as `flattenHistory` places it. */
export function readImported(value: unknown, origin: NumberOrigin): ImportedItem | RevisionItem | string {
  if (!isObject(value) || !isObject(value.said)) return 'message of the history is not an object';
  const { said, place } = value;
  if (isOfGroup(said) || isGroupId(value.wa_id)) return 'message of a group';
  const person = readCustomerIds(value.wa_id, value.user_id ?? userIdIn(said, value.wa_id));
  const by = isOfBusiness(said, person, origin) ? 'business' : 'customer';
  const notice = readNotice(said, person, { by, origin });
  if (notice !== undefined) return typeof notice === 'string' ? notice : { ...notice, is_imported: true };
  const common = readCommon(said, person, origin);
  if (typeof common === 'string') return common;
  return { type: 'imported', ...common, by, place: Number.isSafeInteger(place) ? Number(place) : 0 };
}

/** The user id of the customer, where the message names it and the thread names the number alone. */
function userIdIn(said: JsonObject, wa_id: unknown): unknown {
  if (readText(wa_id) === undefined) return undefined;
  return said.from === wa_id ? said.from_user_id : said.to === wa_id ? said.to_user_id : undefined;
}

/** The thread belongs to the customer, so a message from anybody else is the business's. */
function isOfBusiness(said: Record<string, unknown>, person: CustomerIds, { display_phone }: NumberOrigin): boolean {
  const from = readId(said.from)?.replace(/\D/g, '');
  if (from !== undefined && from === person.wa_id) return false;
  if (readText(said.from_user_id) !== undefined) return said.from_user_id !== person.user_id;
  return from !== undefined && (from === display_phone || readId(said.to) !== undefined);
}

/** Reads an entry of the phone app's address book, as `flattenAddressBook` places it. A removed entry names nobody. */
export function readAddress(value: unknown, origin: NumberOrigin): AddressBookItem | string {
  const entry = readMember(value, 'entry');
  if (!isObject(value) || !isObject(entry)) return 'entry of the address book is not an object';
  if (entry.type !== undefined && readWord(entry.type) !== 'contact') return 'entry of the address book is no contact';
  const person = readCustomerIds(value.wa_id, value.user_id);
  const at = readPastTimestamp(readMember(entry.metadata, 'timestamp'), origin) ?? readMoment(entry.timestamp, origin);
  if (hasNoId(person) || at === undefined) return 'entry of the address book without a number or a timestamp';
  const name =
    readVisible(readMember(entry.contact, 'full_name')) ?? readVisible(readMember(entry.contact, 'first_name'));
  const is_removed = readWord(entry.action) === 'remove';
  if (name === undefined && !is_removed) return 'entry of the address book without a name';
  return { type: 'address', ...origin, ...person, at, ...(name && !is_removed ? { name } : {}) };
}

/** Reads how far the history is, as `flattenHistory` keeps it of each chunk. What is no share of a hundred is left out. */
export function readHistoryProgress(value: unknown, origin: NumberOrigin): HistoryProgressItem {
  const within = (member: string) => {
    const number = readInteger(readMember(value, member));
    return number !== undefined && number >= 0 && number <= 100 ? number : undefined;
  };
  const [phase, progress] = [within('phase'), within('progress')];
  return {
    type: 'history_progress',
    ...origin,
    ...(phase !== undefined && { phase }),
    ...(progress !== undefined && { progress }),
    ...(readMember(value, 'is_declined') === true && { is_declined: true }),
  };
}
