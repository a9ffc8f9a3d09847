import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

// These statements search the payloads of a group, which has few jobs.

const deleteNaming = statement(`
  with waiting as materialized (
    select id from jobs
    where kind = any ($2) and group_id = $1 and exists (select from unnest($3::text[]) as name where strpos(payload, name) > 0)
    order by id for update
  )
  delete from jobs using waiting where jobs.id = waiting.id`);

/** Deletes the jobs of a group whose payload contains one of the ids. */
export async function deleteJobsNaming(
  tx: Transaction,
  kinds: readonly string[],
  group_id: string,
  ids: readonly string[],
): Promise<void> {
  await deleteNaming(tx, [group_id, kinds, ids]);
}

const replaceNames = statement(`
  update jobs set payload = replace(payload, $3, $4)
  where kind = $2 and group_id = $1 and strpos(payload, $3) > 0`);

/** Replaces an id in the payloads of a group's jobs. */
export async function replaceInJobs(
  tx: Transaction,
  kind: string,
  group_id: string,
  from: string,
  to: string,
): Promise<void> {
  await replaceNames(tx, [group_id, kind, from, to]);
}
