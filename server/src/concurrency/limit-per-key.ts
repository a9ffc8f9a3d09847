/** Runs work as soon as its key has a place. */
export type LimitPerKey = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

interface ConcurrencyLimits {
  /** Runs of one key at once. */
  per_key: number;
  /** Runs at once. Unlimited by default. */
  in_all?: number;
  /** How long work waits for a place, and the error after that. By default it waits without end. */
  patience?: { ms: number; error: () => Error };
}

interface WaitingCall {
  key: string;
  begin(): void;
}

/**
 * A concurrency limit for each key, such as a workspace. Calls beyond it wait here in the order of their arrival. In the queue
 * for the pool's connections they would delay every other workspace (hazard H67).
 */
export function limitPerKey({ per_key, in_all = Number.POSITIVE_INFINITY, patience }: ConcurrencyLimits): LimitPerKey {
  const running = new Map<string, number>();
  const waiting = new Set<WaitingCall>();
  let total = 0;
  const hasPlace = (key: string) => total < in_all && (running.get(key) ?? 0) < per_key;

  function take(key: string): void {
    total++;
    running.set(key, (running.get(key) ?? 0) + 1);
  }

  function giveBack(key: string): void {
    total--;
    const left = running.get(key)! - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
    waiting
      .values()
      .find((call) => hasPlace(call.key))
      ?.begin();
  }

  function waitForPlace(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        waiting.delete(call);
      };
      const call = {
        key,
        begin() {
          leave();
          take(key);
          resolve();
        },
      };
      const timer =
        patience &&
        setTimeout(() => {
          leave();
          reject(patience.error());
        }, patience.ms);
      waiting.add(call);
    });
  }

  return async (key, work) => {
    if (hasPlace(key)) take(key);
    else await waitForPlace(key);
    try {
      return await work();
    } finally {
      giveBack(key);
    }
  };
}
