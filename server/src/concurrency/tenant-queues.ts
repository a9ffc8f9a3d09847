const keptMs = 1_000;

/** Runs the calls in batches of one tenant, one batch at a time, so that all queues use one connection. */
export function createTenantQueues<Call extends { order: number }>(
  run: (calls: Call[]) => Promise<void>,
  max_items: number,
) {
  const queues = new Map<string, Call[]>();
  const kept = new Map<string, NodeJS.Timeout>();
  let isRunning = false;

  async function drain(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (const [tenant, calls] of queues) {
      queues.delete(tenant);
      const batch = calls.sort((a, b) => a.order - b.order).splice(0, max_items);
      // The rest waits behind the other tenants.
      if (calls.length > 0) queues.set(tenant, calls);
      await run(batch);
    }
    isRunning = false;
  }

  return {
    has: (tenant: string) => kept.has(tenant),
    add(tenant: string, calls: Call[]) {
      queues.set(tenant, [...(queues.get(tenant) ?? []), ...calls]);
      void drain();
    },
    /** Keeps a tenant apart for a while, because each shared batch that meets its lock runs twice. */
    keep(tenant: string) {
      clearTimeout(kept.get(tenant));
      kept.set(tenant, setTimeout(() => kept.delete(tenant), keptMs).unref());
    },
  };
}
