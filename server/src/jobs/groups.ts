import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

const upsertPause = statement(`
  insert into job_groups as g (kind, group_id, paused_until) values ($1, $2, $3)
  on conflict (kind, group_id) do update set paused_until = greatest(g.paused_until, excluded.paused_until)`);

/** Pauses the claims of a group's jobs until a time. */
export async function pauseGroup(connection: Connection, kind: string, group_id: string, until: Date): Promise<void> {
  await upsertPause(connection, [kind, group_id, until]);
}

const countOfGroup = statement<{ count: number }>(`
  select count(*)::int from (select from jobs where kind = $1 and group_id = $2 limit $3) as waiting`);

/** Counts the jobs of a group, running or not, up to `bound`. */
export async function countJobs(
  connection: Connection,
  kind: string,
  group_id: string,
  bound: number,
): Promise<number> {
  return (await countOfGroup(connection, [kind, group_id, bound]))[0]!.count;
}

const deleteUnclaimed = statement<{ payload: string }>(`
  with unclaimed as materialized (
    select id from jobs
    where kind = $1 and group_id = $2 and (leased_until is null or leased_until < clock_timestamp())
      and started_at is null
    order by run_at, id limit $3 for update skip locked
  )
  delete from jobs using unclaimed where jobs.id = unclaimed.id returning jobs.payload`);

/** Deletes up to `limit` jobs of a group that are neither running nor interrupted, and returns their payloads. */
export async function takeWaiting(
  connection: Connection,
  { kind, group_id, limit }: { kind: string; group_id: string; limit: number },
): Promise<string[]> {
  const rows = await deleteUnclaimed(connection, [kind, group_id, limit]);
  return rows.map((row) => row.payload);
}

const deletePauses = statement(`delete from job_groups where kind = any ($1::text[]) and group_id = $2`);
const wakeJobs = statement(`
  update jobs set run_at = $3, is_ready = true, wakes_at = null
  where kind = any ($1::text[]) and group_id = $2 and wakes_at is not null and leased_until is null`);

/** Lets the waiting jobs of a group run now: the reason for which they wait is gone. */
export async function wakeGroup(tx: Transaction, kinds: readonly string[], group_id: string, now: Date): Promise<void> {
  await deletePauses(tx, [kinds, group_id]);
  await wakeJobs(tx, [kinds, group_id, now]);
  for (const kind of kinds) tx.announce(kind);
}
