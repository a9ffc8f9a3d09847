import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Job, NewJob } from './job.ts';

const insertRows = statement(`
  insert into jobs (kind, group_id, tenant_id, queue_key, payload, run_at)
  select kind, group_id, tenant_id, queue_key, payload, run_at
  from json_to_recordset($1) as new (kind text, group_id uuid, tenant_id uuid, queue_key uuid, payload text, run_at timestamptz)`);

/** Inserts jobs in the given order, which is the order within their queue keys. */
export async function insertJobs(connection: Connection, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length > 0) await insertRows(connection, [JSON.stringify(jobs)]);
}

const insertRow = statement(`
  insert into jobs (kind, group_id, tenant_id, queue_key, payload, run_at) values ($1, $2, $3, $4, $5, $6)`);

/** Inserts a job of a large payload. As JSON, 4 MB of it would be escaped first, in a turn of the event loop of 30 ms. */
export async function insertLargeJob(connection: Connection, job: NewJob): Promise<void> {
  const { kind, group_id, tenant_id, queue_key, payload, run_at } = job;
  await insertRow(connection, [kind, group_id, tenant_id, queue_key, payload, run_at]);
}

const startJobs = statement<{ id: number }>(`
  update jobs set started_at = $2
  from json_to_recordset($1) as held (id bigint, attempts integer)
  where jobs.id = held.id and jobs.attempts = held.attempts and jobs.leased_until > clock_timestamp()
  returning jobs.id`);

/**
 * Marks the point of no return of the jobs that this process still holds, and returns their ids. A worker whose lease has ended
 * gets none of its jobs back and must not act on them.
 */
export async function start(connection: Connection, jobs: readonly Job[], now: Date): Promise<Set<number>> {
  const rows = await startJobs(connection, [heldBy(jobs), now]);
  return new Set(rows.map((row) => row.id));
}

const deleteJobs = statement<{ id: number }>(`
  delete from jobs using json_to_recordset($1) as held (id bigint, attempts integer)
  where jobs.id = held.id and jobs.attempts = held.attempts
  returning jobs.id`);

type ClaimedJob = Pick<Job, 'id' | 'attempts'>;

/** Deletes the jobs that these claims still hold, and returns their ids. */
export async function finishHeld(connection: Connection, jobs: readonly ClaimedJob[]): Promise<Set<number>> {
  const rows = jobs.length === 0 ? [] : await deleteJobs(connection, [heldBy(jobs)]);
  return new Set(rows.map((row) => row.id));
}

/** Deletes the jobs that these claims still hold, and returns their number. */
export async function finish(connection: Connection, jobs: readonly ClaimedJob[]): Promise<number> {
  return (await finishHeld(connection, jobs)).size;
}

const deleteExact = statement(`
  delete from jobs where kind = $1 and group_id = $2 and run_at = $3 and payload = $4`);

/** Deletes a job that has become useless before its time. A worker that has claimed it loses it. */
export async function deleteWaiting(
  connection: Connection,
  { kind, group_id, run_at, payload }: NewJob,
): Promise<void> {
  await deleteExact(connection, [kind, group_id, run_at, payload]);
}

const selectHeld = statement(`select from jobs where id = $1 and attempts = $2 for share`);

/** Whether the claim still holds the job. If so, it holds it until the transaction ends. */
export async function isHeld(tx: Connection, { id, attempts }: ClaimedJob): Promise<boolean> {
  return (await selectHeld(tx, [id, attempts])).length > 0;
}

const deleteReplaced = statement(`delete from jobs where id = any ($1::bigint[])`);
const updateReplaced = statement(`
  update jobs set payload = new.payload, attempts = attempts + 1, steps_done = 0,
    queue_key = case when new.keeps_queue then queue_key end,
    is_ready = case when new.keeps_queue then is_ready else wakes_at is null end, worker_id = null, leased_until = null
  from json_to_recordset($1) as new (id bigint, payload text, keeps_queue boolean) where jobs.id = new.id`);

/** A job whose payload changes, or ends with null. */
export interface ReplacedPayload {
  id: number;
  payload: string | null;
  /** Whether it keeps its place in its queue, where it otherwise runs at once. */
  keeps_queue: boolean;
}

/**
 * Replaces the payloads of jobs that the transaction has locked, and deletes those with null. A worker that runs one of them
 * loses it, and its effect rolls back if it shares a transaction with the end of the job. The steps of a job begin again.
 */
export async function replacePayloads(connection: Connection, replaced: readonly ReplacedPayload[]): Promise<void> {
  if (replaced.length === 0) return;
  await deleteReplaced(connection, [replaced.filter(({ payload }) => payload === null).map(({ id }) => id)]);
  await updateReplaced(connection, [JSON.stringify(replaced.filter(({ payload }) => payload !== null))]);
}

const selectUnderWay = statement<{ id: number }>(`
  select id from jobs where id = any ($1::bigint[]) and started_at is not null and leased_until > clock_timestamp()`);

/** The jobs among these that have passed their point of no return and are not finished. */
export async function findUnderWay(connection: Connection, ids: readonly number[]): Promise<number[]> {
  return (await selectUnderWay(connection, [ids])).map((row) => row.id);
}

const retryJobs = statement(`
  update jobs set run_at = held.run_at, is_ready = held.run_at <= now(),
    wakes_at = case when held.run_at > now() then held.run_at end,
    failures = failures + held.failed, worker_id = null, leased_until = null,
    started_at = case when held.interrupted then started_at end,
    queue_key = case when not held.leaves_queue then queue_key end, payload = coalesce(held.payload, jobs.payload)
  from json_to_recordset($1) as held
    (id bigint, attempts integer, run_at timestamptz, failed integer, interrupted boolean, leaves_queue boolean, payload text)
  where jobs.id = held.id and jobs.attempts = held.attempts`);

export interface Retry {
  job: Job;
  run_at: Date;
  /** Whether it counts as a failure, which makes the next delay longer. */
  failed: boolean;
  /** The run broke off. The job keeps `started_at` if it had passed its point of no return. */
  interrupted?: boolean;
  /** Takes the job out of its queue, so that the jobs behind it no longer wait. */
  leaves_queue?: boolean;
  /** Replaces the payload. */
  payload?: string | undefined;
}

/** Releases jobs, which run again at a later time. */
export async function retry(connection: Connection, retries: readonly Retry[]): Promise<void> {
  const held = retries.map(({ job, run_at, failed, interrupted = false, leaves_queue = false, payload }) => ({
    ...key(job),
    run_at,
    failed: failed ? 1 : 0,
    interrupted,
    leaves_queue,
    payload,
  }));
  if (held.length > 0) await retryJobs(connection, [JSON.stringify(held)]);
}

/** Ordered by id, the order in which all statements lock the rows. */
function heldBy(jobs: readonly ClaimedJob[]): string {
  return JSON.stringify(jobs.map(key).sort((a, b) => a.id - b.id));
}

function key({ id, attempts }: ClaimedJob): ClaimedJob {
  return { id, attempts };
}
