import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway } from './is-database-away.ts';

const pauseMs = 250;

/**
 * Runs `work`, and repeats it for `patience_ms` while the database is away. `work` must be idempotent, because its result is
 * unknown when a connection breaks.
 */
export async function whenDatabaseIsBack<Result>(work: () => Promise<Result>, patience_ms: number): Promise<Result> {
  const end = performance.now() + patience_ms;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > end) throw error;
      await pause(pauseMs);
    }
  }
}
