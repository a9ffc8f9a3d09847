/** Timers that end with the simulator. */
export type Timers = {
  after(ms: number, run: () => void): void;
  pending(): number;
  clear(): void;
};

export function makeTimers(): Timers {
  const waiting = new Set<NodeJS.Timeout>();
  return {
    after(ms, run) {
      const timer = setTimeout(() => {
        waiting.delete(timer);
        run();
      }, ms);
      waiting.add(timer);
    },
    pending: () => waiting.size,
    clear() {
      for (const timer of waiting) clearTimeout(timer);
      waiting.clear();
    },
  };
}
