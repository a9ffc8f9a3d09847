/** Runs work of a tenant as soon as there is a place for it; fails like a wait for a lock where none comes in time. */
export type LimitLongWaits = <Result>(tenant: string, work: () => Promise<Result>) => Promise<Result>;

// As long as a statement may take: whoever waits behind others of its tenant hears of it then, and can try again.
const patienceMs = 5_000;

/** `most` at once in all, and of each tenant one: work that waits for a lock holds a connection meanwhile. */
export function createLimitLongWaits(most: number): LimitLongWaits {
  const running = new Set<string>();
  const waiting = new Set<Waiting>();

  function wait(tenant: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(own);
        reject(Object.assign(new Error('too many wait for locks'), { code: '55P03' }));
      }, patienceMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const own = { tenant, begin };
      waiting.add(own);
    });
  }

  function beginNext(): void {
    const next = waiting.values().find(({ tenant }) => !running.has(tenant));
    if (!next) return;
    waiting.delete(next);
    running.add(next.tenant);
    next.begin();
  }

  return async (tenant, work) => {
    if (running.size < most && !running.has(tenant)) running.add(tenant);
    else await wait(tenant);
    try {
      return await work();
    } finally {
      running.delete(tenant);
      beginNext();
    }
  };
}

interface Waiting {
  tenant: string;
  begin: () => void;
}
