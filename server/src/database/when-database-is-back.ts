import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway } from './is-database-away.ts';

const pauseMs = 250;

/**
 * Runs `work`, and runs it again while the database is away, for as long as `patience_ms`. For work that may be done
 * twice without harm: when a connection breaks, nobody knows whether it was done.
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
