import { createHash } from 'node:crypto';

/** The subject of a notification, not verified yet. */
export interface Origins {
  waba_ids: string[];
  phone_number_ids: string[];
  /** The same for all messages of a customer, so that their notifications are processed in order of arrival. */
  queue_key: string | undefined;
  /** If it reports a new number of a customer: the queue keys of the former ones. */
  former_queue_keys: string[];
}

// What the phone app shares names the customer beside the message.
const senderMembers = ['from', 'from_user_id', 'wa_id', 'user_id'];

type Json = { [member: string]: unknown } | undefined;

/** Reads the well-formed account and number ids of a notification. Never throws. */
export function readOrigins(body: unknown): Origins {
  const waba_ids = new Set<string>();
  const phone_number_ids = new Set<string>();
  const former: string[] = [];
  let sender: string | undefined;
  for (const entry of list(member(body, 'entry'))) {
    add(waba_ids, member(entry, 'id'));
    for (const change of list(member(entry, 'changes'))) {
      const value = member(change, 'value');
      const number = member(member(value, 'metadata'), 'phone_number_id');
      add(phone_number_ids, number);
      for (const message of ['messages', 'handovers', 'imported', 'calls'].flatMap((name) =>
        list(member(value, name)),
      )) {
        const from = senderMembers.map((name) => member(message, name)).find(Boolean) || readFormerUserId(message);
        if (typeof from === 'string') sender ??= `${number} ${from}`;
        const next = readNewIdentifier(message);
        if (next === undefined || typeof from !== 'string') continue;
        former.push(`${number} ${from}`);
        sender = `${number} ${next}`;
      }
    }
  }
  return {
    waba_ids: [...waba_ids],
    phone_number_ids: [...phone_number_ids],
    queue_key: sender && uuidOf(sender),
    former_queue_keys: former.map(uuidOf),
  };
}

/** The sender of a change of number or user id that names nobody beside it. */
function readFormerUserId(message: unknown): unknown {
  return member(member(message, 'system'), 'previous_user_id');
}

/** The sender's new number, if the message reports one, or the user id of a sender with a hidden number. */
function readNewIdentifier(message: unknown): string | undefined {
  const system = member(message, 'system');
  const name =
    member(system, 'wa_id') || member(system, 'new_wa_id') || (!member(message, 'from') && member(system, 'user_id'));
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Json)![name] : undefined;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function add(ids: Set<string>, value: unknown): void {
  if (typeof value === 'string' || typeof value === 'number') ids.add(String(value));
}

/** Any function to 128 bits would do, because queue keys are only compared. */
function uuidOf(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
