import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from '../database/pool.ts';
import { findDeadWorkers, releaseDead } from './queries.ts';

interface FreeDeadWorkers {
  pool: Pool;
  log: Logger;
  /** Whether this worker holds its own lock: while it does not, nobody can be said to be dead. */
  isRegistered: () => boolean;
  /** Told the kinds of the jobs that are free. */
  onFreed: (kinds: ReadonlySet<string>) => void;
}

// A worker without its lock is not dead yet: when the database restarts, all lose theirs and come back in a moment.
const secondLookMs = 2_000;

/** Answers the function that looks for dead workers and frees what they held; one look at a time. */
export function freeDeadWorkers({ pool, log, isRegistered, onFreed }: FreeDeadWorkers): () => Promise<void> {
  let looking = false;

  async function look(): Promise<void> {
    const missing = await findDeadWorkers(pool);
    if (missing.length === 0) return;
    await pause(secondLookMs, undefined, { ref: false });
    if (isRegistered()) onFreed(await releaseDead(pool, missing));
  }

  return async () => {
    if (looking || !isRegistered()) return;
    looking = true;
    await look().catch((error) => log.debug({ err: error }, 'dead workers could not be looked for'));
    looking = false;
  };
}
