import type { ChatMessage, Dict, SendRoute } from './message.ts';

export type LedgerEntry = {
  wamid: string;
  phone_number_id: string;
  /** The recipient as given. */
  to: string;
  biz_opaque_callback_data: string | null;
  /** null once the message is dropped. */
  body: Dict | null;
  /** The path of the call; null once the message is dropped. */
  route: SendRoute | null;
  /** The category charged at delivery; null where undelivered or free. */
  charged_as: string | null;
  /** Milliseconds. */
  at: number;
};

/**
 * The record of accepted sends, with or without an answer to the caller. It holds columns instead of objects because a
 * benchmark leaves hundreds of thousands of rows.
 */
export type Ledger = {
  record(wamid: string, phone_number_id: string, to: string, callback_data: string | undefined, at: number): void;
  /** Charges a delivered message; repeated calls have no further effect. */
  charge(wamid: string, category: string): void;
  read(messageOf: (wamid: string) => ChatMessage | undefined, from?: number): LedgerEntry[];
  clear(): void;
};

export function makeLedger(): Ledger {
  let wamids: string[] = [];
  let numbers: string[] = [];
  let recipients: string[] = [];
  let callbacks: (string | null)[] = [];
  let times: number[] = [];
  const charges = new Map<string, string>();

  return {
    record(wamid, phone_number_id, to, callback_data, at) {
      wamids.push(wamid);
      numbers.push(phone_number_id);
      recipients.push(to);
      callbacks.push(callback_data ?? null);
      times.push(at);
    },
    charge: (wamid, category) => void charges.set(wamid, category),
    read: (messageOf, from = 0) =>
      wamids.slice(from).map((wamid, offset) => ({
        wamid,
        phone_number_id: numbers[from + offset]!,
        to: recipients[from + offset]!,
        biz_opaque_callback_data: callbacks[from + offset]!,
        body: messageOf(wamid)?.body ?? null,
        route: messageOf(wamid)?.route ?? null,
        charged_as: charges.get(wamid) ?? null,
        at: times[from + offset]!,
      })),
    clear() {
      wamids = [];
      numbers = [];
      recipients = [];
      callbacks = [];
      times = [];
      charges.clear();
    },
  };
}
