import { shareFreePlaces } from '../concurrency/share-free-places.ts';
import type { Pool } from '../database/pool.ts';
import type { JobHandler } from './job.ts';
import { retry } from './queries.ts';

/** The handler, of whose places groups that hang never hold all. A job for which its group has no place is given back. */
export function sharePlacesOfHandler(pool: Pool, handler: JobHandler): JobHandler {
  const places = shareFreePlaces({ places: handler.concurrency, each: handler.group_concurrency });
  return {
    ...handler,
    // The handler knows more of a group: its word comes last.
    narrowed: () => new Map([...places.narrowed(), ...(handler.narrowed?.() ?? [])]),
    async run(job) {
      if (!places.take(job.group_id)) {
        await retry(pool, [{ job, run_at: job.run_at, failed: false }]);
        return { type: 'finished' };
      }
      try {
        return await handler.run(job);
      } finally {
        places.give(job.group_id);
      }
    },
  };
}
