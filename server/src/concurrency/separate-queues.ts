/** The tenants that are kept out of shared batches, each with a queue of its own. */
export interface SeparateQueues<Call> {
  has(tenant: string): boolean;
  add(tenant: string, calls: Call[]): void;
}

// A tenant whose lock was waited for comes back late: each shared batch that meets its lock is run twice.
const keptMs = 1_000;

/** Runs the calls of each tenant in their order, one batch at a time. `run` never rejects. */
export function createSeparateQueues<Call extends { order: number }>(
  run: (calls: Call[], tenant: string) => Promise<void>,
  max_items: number,
): SeparateQueues<Call> {
  const queues = new Map<string, { calls: Call[]; isRunning: boolean }>();

  async function drain(tenant: string, queue: { calls: Call[]; isRunning: boolean }): Promise<void> {
    if (queue.isRunning) return;
    queue.isRunning = true;
    while (queue.calls.length > 0) await run(queue.calls.splice(0, max_items), tenant);
    queue.isRunning = false;
    const forget = () => {
      if (!queue.isRunning) queues.delete(tenant);
    };
    setTimeout(forget, keptMs).unref();
  }

  return {
    has: (tenant) => queues.has(tenant),
    add(tenant, calls) {
      const queue = queues.get(tenant) ?? { calls: [], isRunning: false };
      queues.set(tenant, queue);
      queue.calls.push(...calls);
      queue.calls.sort((a, b) => a.order - b.order);
      void drain(tenant, queue);
    },
  };
}
