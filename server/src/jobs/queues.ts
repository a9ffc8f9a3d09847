import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Job } from './job.ts';

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

const selectBusy = statement<{ queue_key: string }>(`
  select k.queue_key from (select distinct unnest($2::uuid[]) as queue_key) k
  where exists (select from jobs j where j.kind = $1 and j.queue_key = k.queue_key)`);

/** The keys among these that have jobs, running or not. A key is 32 hexadecimal digits. */
export async function findBusyQueues(
  connection: Connection,
  kind: string,
  queue_keys: readonly string[],
): Promise<Set<string>> {
  const rows = await selectBusy(connection, [kind, queue_keys]);
  return new Set(rows.map(({ queue_key }) => queue_key.replaceAll('-', '')));
}

const deleteFollowers = statement<Pick<Job, 'id' | 'group_id' | 'payload'>>(`
  with next as materialized (
    select id, octet_length(payload) > $5 as is_large from jobs
    where kind = $1 and queue_key = $2 and id > $3 order by id limit $4 for update
  ), followers as (
    select id from next where id < coalesce((select min(id) from next where is_large), 'Infinity'::float8)
  )
  delete from jobs using followers where jobs.id = followers.id
  returning jobs.id, jobs.group_id, jobs.payload`);

/**
 * Deletes the next jobs behind a job that this worker holds, and returns them in their order: no more than `count`, and none behind
 * one with a payload above `bytes`.
 */
export async function takeFollowers(
  connection: Connection,
  { kind, queue_key, id }: Job,
  { count, bytes }: { count: number; bytes: number },
): Promise<Pick<Job, 'id' | 'group_id' | 'payload'>[]> {
  const taken = await deleteFollowers(connection, [kind, queue_key, id, count, bytes]);
  return taken.sort((a, b) => a.id - b.id);
}
