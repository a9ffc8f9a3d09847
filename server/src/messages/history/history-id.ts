import { hash } from 'node:crypto';

/**
 * The id of an imported message: a UUIDv7 of its original time, so that it stands at its place in the thread. Behind the time come
 * its number, which orders the messages of one second, and a digest of its source. The same message has the same id in each import.
 */
export function historyId(source: string, { number, at }: { number: number; at: Date }): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  const order = number.toString(16).padStart(10, '0');
  const digest = hash('sha256', `${source} ${number}`, 'hex');
  const random = `${order.slice(0, 3)}8${order.slice(3)}${digest.slice(0, 8)}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${random.slice(3, 7)}-${random.slice(7)}`;
}

/** The mark of a message that the phone app shared. `now`: the time of the import. */
export function importedFromPhone(now: Date): { source: 'phone_app'; at: string } {
  return { source: 'phone_app', at: now.toISOString() };
}
