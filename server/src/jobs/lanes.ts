import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

// A lane is what follows one another: its jobs are run in the order in which they came.

const cancelWaiting = statement(`
  with waiting as materialized (
    select id from jobs where kind = $1 and lane_id = any ($2::uuid[]) and started_at is null order by id for update
  )
  delete from jobs using waiting where jobs.id = waiting.id`);

const selectStarted = statement<{ id: number }>(`
  select id from jobs where kind = $1 and lane_id = any ($2::uuid[]) and started_at is not null`);

/** Deletes what waits in these lanes; answers the jobs that have passed their point of no return, which go on. */
export async function cancelLanes(
  connection: Connection,
  kind: string,
  lane_ids: readonly string[],
): Promise<number[]> {
  await cancelWaiting(connection, [kind, lane_ids]);
  return (await selectStarted(connection, [kind, lane_ids])).map((row) => row.id);
}

const deleteUnclaimedIn = statement(`
  with waiting as materialized (
    select id from jobs
    where kind = $1 and lane_id = $2 and (leased_until is null or leased_until < clock_timestamp())
    order by id for update
  )
  delete from jobs using waiting where jobs.id = waiting.id`);

/** Deletes what waits in a lane; what a worker has in its hands goes on. */
export async function cancelUnclaimed(connection: Connection, kind: string, lane_id: string): Promise<void> {
  await deleteUnclaimedIn(connection, [kind, lane_id]);
}

const updateLanes = statement(`
  with waiting as materialized (
    select id from jobs where kind = $1 and lane_id = any ($2::uuid[]) order by id for update
  )
  update jobs set lane_id = $3 from waiting where jobs.id = waiting.id`);

/** Puts what is in these lanes, under way or not, into another lane; among what is there, in the order of coming. */
export async function joinLanes(
  connection: Connection,
  kind: string,
  from: readonly string[],
  lane_id: string,
): Promise<void> {
  await updateLanes(connection, [kind, from, lane_id]);
}
