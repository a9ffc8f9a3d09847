import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

// Jobs of one queue key run one after the other, in the order of their ids. Triggers keep the first of each key awake.

const cancelWaiting = statement(`
  with waiting as materialized (
    select id from jobs where kind = $1 and queue_key = any ($2::uuid[]) and started_at is null order by id for update
  )
  delete from jobs using waiting where jobs.id = waiting.id`);

const selectStarted = statement<{ id: number }>(`
  select id from jobs where kind = $1 and queue_key = any ($2::uuid[]) and started_at is not null`);

/** Deletes the waiting jobs of these keys; answers those that have passed their point of no return, which go on. */
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

/** Deletes the waiting jobs of a key; those that a worker holds go on. */
export async function cancelUnclaimed(connection: Connection, kind: string, queue_key: string): Promise<void> {
  await deleteUnclaimedIn(connection, [kind, queue_key]);
}

const updateQueues = statement(`
  with waiting as materialized (
    select id from jobs where kind = $1 and queue_key = any ($2::uuid[]) order by id for update
  )
  update jobs set queue_key = $3 from waiting where jobs.id = waiting.id`);

/** Gives the jobs of these keys, under way or not, another key, and with it their place by id among its jobs. */
export async function joinQueues(
  connection: Connection,
  kind: string,
  from: readonly string[],
  queue_key: string,
): Promise<void> {
  await updateQueues(connection, [kind, from, queue_key]);
}
