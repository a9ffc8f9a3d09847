import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Job, NewJob } from './job.ts';

const insertJobs = statement(`
  insert into jobs (kind, group_id, queue_key, payload, run_at)
  select kind, group_id, queue_key, payload, run_at
  from json_to_recordset($1) as new (kind text, group_id uuid, queue_key uuid, payload text, run_at timestamptz)`);

/** In the order given, which is the order within their queue keys. */
export async function insert(connection: Connection, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length > 0) await insertJobs(connection, [JSON.stringify(jobs)]);
}

const startJobs = statement<{ id: number }>(`
  update jobs set started_at = $2
  from json_to_recordset($1) as held (id bigint, attempts integer)
  where jobs.id = held.id and jobs.attempts = held.attempts and jobs.leased_until > clock_timestamp()
  returning jobs.id`);

/**
 * Marks the point of no return of jobs that this process still holds; answers the ids of those. Fenced: a worker that
 * was paused beyond its lease gets nothing back and must not act.
 */
export async function start(connection: Connection, jobs: readonly Job[], now: Date): Promise<Set<number>> {
  const rows = await startJobs(connection, [heldBy(jobs), now]);
  return new Set(rows.map((row) => row.id));
}

const deleteJobs = statement<{ id: number }>(`
  delete from jobs using json_to_recordset($1) as held (id bigint, attempts integer)
  where jobs.id = held.id and jobs.attempts = held.attempts
  returning jobs.id`);

/** Deletes the jobs that are still held under these claims; answers how many. */
export async function finish(connection: Connection, jobs: readonly Pick<Job, 'id' | 'attempts'>[]): Promise<number> {
  return jobs.length === 0 ? 0 : (await deleteJobs(connection, [heldBy(jobs)])).length;
}

/** The same; answers the ids of those that were. */
export async function finishHeld(
  connection: Connection,
  jobs: readonly Pick<Job, 'id' | 'attempts'>[],
): Promise<Set<number>> {
  const rows = jobs.length === 0 ? [] : await deleteJobs(connection, [heldBy(jobs)]);
  return new Set(rows.map((row) => row.id));
}

const deleteExact = statement(`
  delete from jobs where kind = $1 and group_id = $2 and run_at = $3 and payload = $4`);

/** Deletes a job that waits for its time and is for nothing by now. Who has just claimed it holds it no longer. */
export async function deleteWaiting(
  connection: Connection,
  { kind, group_id, run_at, payload }: NewJob,
): Promise<void> {
  await deleteExact(connection, [kind, group_id, run_at, payload]);
}

const selectHeld = statement(`select from jobs where id = $1 and attempts = $2 for share`);

/** Whether the job is still there under this claim; if so, nobody takes it away before the transaction ends. */
export async function isHeld(tx: Connection, { id, attempts }: Pick<Job, 'id' | 'attempts'>): Promise<boolean> {
  return (await selectHeld(tx, [id, attempts])).length > 0;
}

const deleteReplaced = statement(`delete from jobs where id = any ($1::bigint[])`);
const updateReplaced = statement(`
  update jobs set payload = new.payload, attempts = attempts + 1, queue_key = null, is_ready = wakes_at is null,
    worker_id = null, leased_until = null
  from json_to_recordset($1) as new (id bigint, payload text) where jobs.id = new.id`);

/**
 * Gives jobs, which the transaction holds, another payload, or with null takes them away. Who works at one holds it no
 * longer: what it does is for nothing if it ends in one transaction with the job.
 */
export async function replacePayloads(
  connection: Connection,
  replaced: readonly { id: number; payload: string | null }[],
): Promise<void> {
  if (replaced.length === 0) return;
  await deleteReplaced(connection, [replaced.filter(({ payload }) => payload === null).map(({ id }) => id)]);
  await updateReplaced(connection, [JSON.stringify(replaced.filter(({ payload }) => payload !== null))]);
}

const selectUnderWay = statement<{ id: number }>(`
  select id from jobs where id = any ($1::bigint[]) and started_at is not null and leased_until > clock_timestamp()`);

/** Which of these jobs are behind their point of no return, and not yet finished. */
export async function findUnderWay(connection: Connection, ids: readonly number[]): Promise<number[]> {
  return (await selectUnderWay(connection, [ids])).map((row) => row.id);
}

const retryJobs = statement(`
  update jobs set run_at = held.run_at, is_ready = held.run_at <= now(),
    wakes_at = case when held.run_at > now() then held.run_at end,
    failures = failures + held.failed, worker_id = null, leased_until = null,
    started_at = case when held.interrupted then started_at end,
    queue_key = case when not held.leaves_queue then queue_key end
  from json_to_recordset($1) as held
    (id bigint, attempts integer, run_at timestamptz, failed integer, interrupted boolean, leaves_queue boolean)
  where jobs.id = held.id and jobs.attempts = held.attempts`);

export interface Retry {
  job: Job;
  run_at: Date;
  /** Whether this counts as a failure, which makes the next delay longer. */
  failed: boolean;
  /** The run broke off, perhaps behind its point of no return: where it had passed that, the job says so. */
  interrupted?: boolean;
  /** The jobs behind it in its queue no longer wait for it. */
  leaves_queue?: boolean;
}

/** Gives jobs back to be run at a later time. */
export async function retry(connection: Connection, retries: readonly Retry[]): Promise<void> {
  const held = retries.map(({ job, run_at, failed, interrupted = false, leaves_queue = false }) => ({
    ...key(job),
    run_at,
    failed: failed ? 1 : 0,
    interrupted,
    leaves_queue,
  }));
  if (held.length > 0) await retryJobs(connection, [JSON.stringify(held)]);
}

/** In the order in which their rows are locked everywhere. */
function heldBy(jobs: readonly Pick<Job, 'id' | 'attempts'>[]): string {
  return JSON.stringify(jobs.map(key).sort((a, b) => a.id - b.id));
}

function key({ id, attempts }: Pick<Job, 'id' | 'attempts'>): { id: number; attempts: number } {
  return { id, attempts };
}
