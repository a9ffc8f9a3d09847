import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

const upsertPause = statement(`
  insert into job_groups as g (kind, group_id, paused_until) values ($1, $2, $3)
  on conflict (kind, group_id) do update set paused_until = greatest(g.paused_until, excluded.paused_until)`);

/** Nothing of this group is claimed before `until`. */
export async function pauseGroup(connection: Connection, kind: string, group_id: string, until: Date): Promise<void> {
  await upsertPause(connection, [kind, group_id, until]);
}

const countOfGroup = statement<{ count: number }>(`
  select count(*)::int from (select from jobs where kind = $1 and group_id = $2 limit $3) as waiting`);

/** How many jobs a group has, under way or not; counted no further than `bound`. */
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

/** Deletes up to so many jobs of a group that nobody is running, nor was when its process ended; answers their payloads. */
export async function takeWaiting(
  connection: Connection,
  { kind, group_id, limit }: { kind: string; group_id: string; limit: number },
): Promise<string[]> {
  const rows = await deleteUnclaimed(connection, [kind, group_id, limit]);
  return rows.map((row) => row.payload);
}
