import type { Piscina } from 'piscina';
import { type LimitPerKey, limitPerKey } from '../../concurrency/limit-per-key.ts';
import { Refusal } from '../reply/refusal.ts';
import type { BodyToCheck, CheckedBody } from './check-body.ts';

export interface BodyThread {
  /** Checks a body of the owner outside the event loop. */
  check(owner: string, body: BodyToCheck): Promise<CheckedBody>;
  close(): Promise<void>;
}

const heapMegabytes = 256;
const idleMs = 60_000;

/**
 * One thread that checks large bodies: a body of 4 MB occupies a core for up to a second, and the event loop serves all
 * tenants. It starts with the first large body. Owners take turns, so that the bodies of one delay those of another by one.
 */
export function createBodyThread(): BodyThread {
  const inTurn: LimitPerKey = limitPerKey({ per_key: 1 });
  let pool: Promise<Piscina<BodyToCheck, CheckedBody>> | undefined;
  return {
    async check(owner, body) {
      pool ??= startPool();
      const threads = await pool;
      return inTurn(owner, () => threads.run(body).catch(refuseTooHeavy));
    },
    async close() {
      await (await pool)?.destroy();
    },
  };
}

/** The bounds on bytes and values keep a body below this. */
function refuseTooHeavy(error: NodeJS.ErrnoException): never {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') throw new Refusal('content_too_large');
  throw error;
}

async function startPool(): Promise<Piscina<BodyToCheck, CheckedBody>> {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: new URL('./check-body-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
}
