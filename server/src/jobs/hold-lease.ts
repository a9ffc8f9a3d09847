import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Job } from './job.ts';

const extend = statement(`
  update jobs set leased_until = clock_timestamp() + make_interval(secs => $3)
  where id = $1 and attempts = $2 and leased_until > clock_timestamp()`);

/** Extends the lease of a job until `work` ends. */
export async function holdLease<Result>(
  pool: Pool,
  { id, attempts }: Job,
  lease_seconds: number,
  work: () => Promise<Result>,
): Promise<Result> {
  // Three renewals fit into a lease, so one may fail.
  const renew = () => extend(pool, [id, attempts, lease_seconds]).catch(() => {});
  const timer = setInterval(renew, (lease_seconds * 1000) / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
