import type { Piscina } from 'piscina';
import { type LimitPerKey, limitPerKey } from './limit-per-key.ts';

/** Work outside the event loop. */
export interface Thread<Input, Output> {
  /** Runs the function of the thread's file. Owners take turns. */
  run(owner: string, input: Input): Promise<Output>;
  close(): Promise<void>;
}

const heapMegabytes = 256;
const idleMs = 60_000;

/**
 * One thread that runs the default export of a file. It starts with the first call and ends when it is idle. Each owner has one
 * call in the thread at a time, so that the calls of one delay those of another by one.
 */
export function createThread<Input, Output>(file: URL): Thread<Input, Output> {
  const inTurn: LimitPerKey = limitPerKey({ per_key: 1 });
  let pool: Promise<Piscina<Input, Output>> | undefined;

  async function start(): Promise<Piscina<Input, Output>> {
    const { Piscina } = await import('piscina');
    return new Piscina({
      filename: file.href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
  }

  return {
    async run(owner, input) {
      pool ??= start();
      const threads = await pool;
      return inTurn(owner, () => threads.run(input));
    },
    async close() {
      await (await pool)?.destroy();
    },
  };
}
