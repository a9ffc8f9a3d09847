import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Job } from './job.ts';

const supersedeOlder = statement<{ is_youngest: boolean }>(`
  with superseded as (
    delete from jobs
    where kind = $1 and group_id = $2 and id < $3 and (leased_until is null or leased_until < clock_timestamp())
  )
  select not exists (select from jobs where kind = $1 and group_id = $2 and id > $3) as is_youngest`);

/**
 * For recurring jobs, one per group, that may be enqueued again at any time. Deletes the older jobs of the group that no worker
 * holds. Returns false if a younger job exists, so that the caller ends.
 */
export async function supersede(pool: Pool, { kind, group_id, id }: Job): Promise<boolean> {
  const rows = await supersedeOlder(pool, [kind, group_id, id]);
  return rows[0]!.is_youngest;
}
