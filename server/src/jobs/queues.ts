import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

const cancelWaiting = statement(`
  with waiting as materialized (
    select id from jobs where kind = $1 and queue_key = any ($2::uuid[]) and started_at is null order by id for update
  )
  delete from jobs using waiting where jobs.id = waiting.id`);

const selectStarted = statement<{ id: number }>(`
  select id from jobs where kind = $1 and queue_key = any ($2::uuid[]) and started_at is not null`);

/** Deletes the jobs of these keys, and returns the ids of those that have passed their point of no return and continue. */
export async function cancelQueues(
  connection: Connection,
  kind: string,
  queue_keys: readonly string[],
): Promise<number[]> {
  await cancelWaiting(connection, [kind, queue_keys]);
  return (await selectStarted(connection, [kind, queue_keys])).map((row) => row.id);
}

const deleteUnclaimedIn = statement(`
  with waiting as materialized (
    select id from jobs
    where kind = $1 and queue_key = $2 and (leased_until is null or leased_until < clock_timestamp())
    order by id for update
  )
  delete from jobs using waiting where jobs.id = waiting.id`);

/** Deletes the jobs of a key that no worker holds. */
export async function cancelUnclaimed(connection: Connection, kind: string, queue_key: string): Promise<void> {
  await deleteUnclaimedIn(connection, [kind, queue_key]);
}

const updateQueues = statement(`
  with waiting as materialized (
    select id from jobs where kind = $1 and queue_key = any ($2::uuid[]) order by id for update
  )
  update jobs set queue_key = $3 from waiting where jobs.id = waiting.id`);

/** Moves the jobs of these keys, running or not, to another key, where their ids decide their order. */
export async function joinQueues(
  connection: Connection,
  kind: string,
  from: readonly string[],
  queue_key: string,
): Promise<void> {
  await updateQueues(connection, [kind, from, queue_key]);
}
