import { type FreePlaces, shareFreePlaces } from '../concurrency/share-free-places.ts';
import type { Pool } from '../database/pool.ts';
import type { Job, JobHandler } from './job.ts';
import { retry } from './queries.ts';

/** Wraps a handler so that each tenant has at most `each` of its places. A job without a place is released. */
export function sharePlacesOfTenants(pool: Pool, handler: JobHandler, each: number): JobHandler {
  const places = shareFreePlaces({ places: handler.concurrency, each });
  const tenantPlaces = places.left;
  return { ...handler, tenantPlaces, run: runInPlace(pool, handler, places, (job) => job.tenant_id!) };
}

/** Wraps a handler so that hanging groups never take all its places. A job without a place is released. */
export function sharePlacesOfHandler(pool: Pool, handler: JobHandler): JobHandler {
  const places = shareFreePlaces({ places: handler.concurrency, each: handler.group_concurrency });
  return {
    ...handler,
    // The handler's own limit of a group takes precedence.
    narrowed: () => new Map([...places.narrowed(), ...(handler.narrowed?.() ?? [])]),
    run: runInPlace(pool, handler, places, (job) => job.group_id),
  };
}

function runInPlace(
  pool: Pool,
  handler: JobHandler,
  places: FreePlaces,
  keyOf: (job: Job) => string,
): JobHandler['run'] {
  return async (job) => {
    const key = keyOf(job);
    if (!places.take(key)) {
      // A job that had passed its point of no return keeps the mark: without it, the next run would act again.
      await retry(pool, [{ job, run_at: job.run_at, failed: false, interrupted: job.started_at !== null }]);
      return { type: 'finished' };
    }
    try {
      return await handler.run(job);
    } finally {
      places.give(key);
    }
  };
}
