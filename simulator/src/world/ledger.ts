import type { Dict } from './message.ts';

export type LedgerEntry = {
  wamid: string;
  phone_number_id: string;
  /** As the call gave it. */
  to: string;
  biz_opaque_callback_data: string | null;
  /** null once the message itself is no longer kept. */
  body: Dict | null;
  /** The category under which it was charged when it was delivered; null where it was not, or was free. */
  charged_as: string | null;
  /** Milliseconds. */
  at: number;
};

/**
 * The simulator's own record of each send that it accepted, whether or not the caller got the answer.
 * Columns instead of objects: a benchmark leaves hundreds of thousands of rows.
 */
export type Ledger = {
  record(wamid: string, phone_number_id: string, to: string, callback_data: string | undefined, at: number): void;
  /** It was delivered, and is charged, however often the business is told. */
  charge(wamid: string, category: string): void;
  read(bodyOf: (wamid: string) => Dict | null, from?: number): LedgerEntry[];
  size(): number;
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
    read: (bodyOf, from = 0) =>
      wamids.slice(from).map((wamid, offset) => ({
        wamid,
        phone_number_id: numbers[from + offset]!,
        to: recipients[from + offset]!,
        biz_opaque_callback_data: callbacks[from + offset]!,
        body: bodyOf(wamid),
        charged_as: charges.get(wamid) ?? null,
        at: times[from + offset]!,
      })),
    size: () => wamids.length,
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
