/** Calls that run apart from those of other tenants. */
export interface TenantQueues<Call> {
  has(tenant: string): boolean;
  add(tenant: string, calls: Call[]): void;
  /** Keeps a tenant out for a while: each shared batch that meets its lock again would run twice. */
  keep(tenant: string): void;
}

const keptMs = 1_000;

/** Runs the calls in batches of one tenant, one batch at a time, so that all of them take one connection. */
export function createTenantQueues<Call extends { order: number }>(
  run: (calls: Call[]) => Promise<void>,
  max_items: number,
): TenantQueues<Call> {
  const queues = new Map<string, Call[]>();
  const kept = new Map<string, NodeJS.Timeout>();
  let isRunning = false;

  async function drain(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (const [tenant, calls] of queues) {
      queues.delete(tenant);
      const batch = calls.sort((a, b) => a.order - b.order).splice(0, max_items);
      // Behind the other tenants.
      if (calls.length > 0) queues.set(tenant, calls);
      await run(batch);
    }
    isRunning = false;
  }

  return {
    has: (tenant) => kept.has(tenant),
    add(tenant, calls) {
      queues.set(tenant, [...(queues.get(tenant) ?? []), ...calls]);
      void drain();
    },
    keep(tenant) {
      clearTimeout(kept.get(tenant));
      kept.set(tenant, setTimeout(() => kept.delete(tenant), keptMs).unref());
    },
  };
}
