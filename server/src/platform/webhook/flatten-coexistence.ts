import type { JsonObject } from '../json-object.ts';
import { isObject, readArray, readId, readMember, readText } from '../read-json.ts';

/**
 * The field `history`: each message of a thread stands beside its customer, in one list, so that large chunks are divided as
 * other notifications are. A file that follows its message comes without a thread. Unknown members, and those of a wrong shape, keep
 * their names.
 */
export function flattenHistory({ history, messages, ...beside }: JsonObject): JsonObject {
  const business = digitsOf(readMember(beside.metadata, 'display_phone_number'));
  const chunks = readArray(history);
  const threads = chunks.flatMap((chunk) => readArray(readMember(chunk, 'threads')));
  const imported = [
    ...threads.flatMap(withCustomer),
    ...readArray(messages).map((file) => besideCustomer(file, business)),
  ];
  const refusals = chunks.flatMap((chunk) => readArray(readMember(chunk, 'errors')));
  const progress = chunks.flatMap((chunk) => {
    const is_declined = readArray(readMember(chunk, 'errors')).length > 0;
    const metadata = readMember(chunk, 'metadata');
    return is_declined || isObject(metadata) ? [{ ...(isObject(metadata) && metadata), is_declined }] : [];
  });
  const unread = {
    history: Array.isArray(history) ? history.flatMap(unreadOfChunk) : history,
    messages: Array.isArray(messages) ? undefined : messages,
  };
  return { ...beside, ...unread, imported, refusals, progress };
}

/** A chunk without its known members. */
function unreadOfChunk(chunk: unknown): unknown[] {
  if (!isObject(chunk)) return [chunk];
  const { threads, errors, metadata, ...unread } = chunk;
  const ofThreads = Array.isArray(threads) ? threads.flatMap(unreadOfThread) : [];
  const ofWrongShape = Object.entries({ threads, errors }).filter(([, list]) => list && !Array.isArray(list));
  const left = { ...unread, ...Object.fromEntries(ofWrongShape), ...(ofThreads.length > 0 && { threads: ofThreads }) };
  return Object.keys(left).length > 0 ? [left] : [];
}

/** A thread without its known members, with the names of its customer. */
function unreadOfThread(thread: unknown): unknown[] {
  if (!isObject(thread)) return [thread];
  const { id, user_id, context, messages, ...unread } = thread;
  const left = { ...unread, ...(messages && !Array.isArray(messages) ? { messages } : {}) };
  return Object.keys(left).length > 0 ? [{ id, user_id, ...left }] : [];
}

function withCustomer(thread: unknown): JsonObject[] {
  const context = readMember(thread, 'context');
  const wa_id = readId(readMember(thread, 'id')) ?? readId(readMember(context, 'wa_id'));
  const user_id = readText(readMember(thread, 'user_id')) ?? readText(readMember(context, 'user_id'));
  const said = readArray(readMember(thread, 'messages'));
  // The place orders messages of one second. Some threads begin with the newest message.
  const isDescending = secondsOf(said[0]) > secondsOf(said.at(-1));
  return said.map((message, n) => ({ wa_id, user_id, place: isDescending ? said.length - 1 - n : n, said: message }));
}

function besideCustomer(message: unknown, business: string | undefined): JsonObject {
  const isOfBusiness = digitsOf(readMember(message, 'from')) === business && business !== undefined;
  const [number, user] = isOfBusiness ? ['to', 'to_user_id'] : ['from', 'from_user_id'];
  return { wa_id: readMember(message, number!), user_id: readMember(message, user!), place: 0, said: message };
}

/** The field `smb_app_state_sync`: each entry names its person as other items do. */
export function flattenAddressBook({ state_sync, ...beside }: JsonObject): JsonObject {
  const address_book = readArray(state_sync).map((entry) => ({
    wa_id: digitsOf(readMember(readMember(entry, 'contact'), 'phone_number')),
    user_id: readMember(readMember(entry, 'contact'), 'user_id'),
    entry,
  }));
  return { ...beside, ...(!Array.isArray(state_sync) && { state_sync }), address_book };
}

function secondsOf(message: unknown): number {
  return Number(readMember(message, 'timestamp')) || 0;
}

function digitsOf(value: unknown): string | undefined {
  return readId(value)?.replace(/\D/g, '') || undefined;
}
