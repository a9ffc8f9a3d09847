import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from '../database/pool.ts';
import { findDeadWorkers, releaseDead } from './leases.ts';

interface FreeDeadWorkers {
  pool: Pool;
  log: Logger;
  /** Whether this worker holds its own lock: while it does not, nobody can be said to be dead. */
  isRegistered: () => boolean;
  /** Told the kinds of the jobs that are free. */
  onFreed: (kinds: ReadonlySet<string>) => void;
}

// A worker without its lock is not dead yet: when the database restarts, all lose theirs and come back in a moment.
const confirmAfterMs = 2_000;

/** Answers the function that finds dead workers and frees their jobs; one call at a time does so. */
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
