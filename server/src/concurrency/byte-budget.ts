/** Reserves bytes for a key, and answers the function that gives them back. */
export type ReserveBytes = (key: string, bytes: number) => Promise<() => void>;

interface ByteBudget {
  in_all: number;
  /** The share of one key, so that none holds the whole budget. */
  per_key: number;
  /** How long a reservation waits for room, and the error after that. */
  patience: { ms: number; error: () => Error };
}

interface WaitingReservation {
  key: string;
  bytes: number;
  begin(): void;
}

/**
 * Bounds the bytes that are held at once, in all and for each key. Reservations wait in the order of their arrival, and those
 * of a full key do not delay the others. A reservation above a bound is admitted alone, so each ends in time.
 */
export function byteBudget({ in_all, per_key, patience }: ByteBudget): ReserveBytes {
  const held = new Map<string, number>();
  const waiting = new Set<WaitingReservation>();
  let total = 0;
  const fits = (used: number, bytes: number, bound: number) => used === 0 || used + bytes <= bound;
  const hasRoom = (key: string, bytes: number) =>
    fits(total, bytes, in_all) && fits(held.get(key) ?? 0, bytes, per_key);

  function take(key: string, bytes: number): () => void {
    total += bytes;
    held.set(key, (held.get(key) ?? 0) + bytes);
    let is_held = true;
    return () => {
      if (!is_held) return;
      is_held = false;
      giveBack(key, bytes);
    };
  }

  function giveBack(key: string, bytes: number): void {
    total -= bytes;
    const left = held.get(key)! - bytes;
    if (left === 0) held.delete(key);
    else held.set(key, left);
    for (const one of waiting) if (hasRoom(one.key, one.bytes)) one.begin();
  }

  function waitForRoom(key: string, bytes: number): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        waiting.delete(reservation);
      };
      const reservation = {
        key,
        bytes,
        begin() {
          leave();
          resolve(take(key, bytes));
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(patience.error());
      }, patience.ms);
      waiting.add(reservation);
    });
  }

  return async (key, bytes) => (hasRoom(key, bytes) ? take(key, bytes) : waitForRoom(key, bytes));
}
