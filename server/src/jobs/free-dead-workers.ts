import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from '../database/pool.ts';
import { findDeadWorkers, releaseDead } from './leases.ts';

interface FreeDeadWorkers {
  pool: Pool;
  log: Logger;
  /** Whether this worker holds its own lock. Without it, it cannot tell which workers are dead. */
  isRegistered: () => boolean;
  /** Receives the kinds of the freed jobs. */
  onFreed: (kinds: ReadonlySet<string>) => void;
}

// After a restart of the database, all workers lose their locks and soon take them again.
const confirmAfterMs = 2_000;

/** Returns a function that finds dead workers and frees their jobs. Concurrent calls do nothing. */
export function freeDeadWorkers({ pool, log, isRegistered, onFreed }: FreeDeadWorkers): () => Promise<void> {
  let isBusy = false;

  async function free(): Promise<void> {
    const missing = await findDeadWorkers(pool);
    if (missing.length === 0) return;
    await pause(confirmAfterMs, undefined, { ref: false });
    if (isRegistered()) onFreed(await releaseDead(pool, missing));
  }

  return async () => {
    if (isBusy || !isRegistered()) return;
    isBusy = true;
    await free().catch((error) => log.debug({ err: error }, 'dead workers could not be freed'));
    isBusy = false;
  };
}
