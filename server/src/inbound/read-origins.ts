import { createHash } from 'node:crypto';

/** Whom a notification is about, by its own word: not yet verified. */
export interface Origins {
  waba_ids: string[];
  phone_number_ids: string[];
  /** Same for notifications of the same customer's messages: these are worked through in the order in which they came. */
  queue_key: string | undefined;
  /** For a notice of a customer's new number: the queue keys of the old ones. Its own is that of the new one. */
  former_queue_keys: string[];
}

type Json = { [member: string]: unknown } | undefined;

/** Reads the account and number ids of a notification, wherever they are well formed; never throws. */
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
      for (const message of list(member(value, 'messages'))) {
        const from = member(message, 'from') || member(message, 'from_user_id');
        if (typeof from === 'string') sender ??= `${number} ${from}`;
        const next = readNewName(message);
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

/** The new number of its sender, if it tells of one; the user id of those who hide theirs. */
function readNewName(message: unknown): string | undefined {
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

/** Any 128 bits that follow from the text: queue keys are compared, never shown. */
function uuidOf(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
