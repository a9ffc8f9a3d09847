import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Job, NewJob } from './job.ts';

const insertJobs = statement(`
  insert into jobs (kind, group_id, lane_id, payload, run_at)
  select kind, group_id, lane_id, payload, run_at
  from json_to_recordset($1) as new (kind text, group_id uuid, lane_id uuid, payload text, run_at timestamptz)`);

/** In the order given, which is the order of their lanes. */
export async function insert(connection: Connection, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length > 0) await insertJobs(connection, [JSON.stringify(jobs)]);
}

// The groups are walked by a loose index scan: one look-up for each group with work, however long its queue. They
// begin behind the group served last and wrap around, so no group starves when slots are few. Within a group: due,
// not leased, and the oldest of its lane. An older job of the lane keeps the younger ones waiting while it exists,
// leased or put off, so order holds without a lock between workers. What lies before $10 is passed over in the index
// alone: entries of jobs that are gone cost 2.4 µs each where the table has to be asked whether they are.
const claimJobs = statement<Job & { oldest: Date }>(`
  with recursive groups as (
    (select group_id, run_at from jobs where kind = $1 and run_at >= $10 order by group_id, run_at, id limit 1)
    union all
    select next.* from groups g
    cross join lateral (
      select j.group_id, j.run_at from jobs j
      where j.kind = $1 and j.group_id > g.group_id and j.run_at >= $10
      order by j.group_id, j.run_at, j.id limit 1
    ) next
  ), ready as (
    select g.group_id, $4 - coalesce((($5::json) ->> g.group_id::text)::int, 0) as room
    from groups g
    where not exists (select from job_groups p
                      where p.kind = $1 and p.group_id = g.group_id and p.paused_until > $2)
    order by g.group_id <= $6::uuid, g.group_id
  ), claimed as (
    select due.id, due.started_at
    from ready
    cross join lateral (
      select j.id, j.started_at from jobs j
      where j.kind = $1 and j.group_id = ready.group_id and j.run_at >= $10 and j.run_at <= $2
        and (j.leased_until is null or j.leased_until < clock_timestamp())
        and (j.lane_id is null
             or not exists (select from jobs o where o.kind = $1 and o.lane_id = j.lane_id and o.id < j.id))
      order by j.run_at, j.id
      limit greatest(ready.room, 0)
      for update skip locked
    ) due
    limit $3
  )
  update jobs set attempts = attempts + 1, worker_id = $7,
    leased_until = clock_timestamp() + make_interval(secs => $8),
    started_at = case when $9 then $2 else jobs.started_at end
  from claimed where jobs.id = claimed.id
  returning jobs.id, kind, group_id, lane_id, payload, run_at, attempts, failures, claimed.started_at,
    (select min(run_at) from groups) as oldest`);

export interface Claim {
  kind: string;
  now: Date;
  /** At most so many. */
  slots: number;
  group_concurrency: number;
  /** Runs under way in this process, by group. */
  under_way: Readonly<Record<string, number>>;
  /** The group served last. */
  after_group: string;
  worker_id: number;
  lease_seconds: number;
  /** The claim is the point of no return of these jobs. */
  starts?: boolean;
  /** Jobs of an earlier time are left alone; without it, none is. */
  since?: Date;
}

export interface Claimed {
  jobs: Job[];
  /** When the oldest job of this kind since then was to run, claimed or not. Told with jobs alone. */
  oldest: Date | undefined;
}

export async function claim(connection: Connection, c: Claim): Promise<Claimed> {
  const rows = await claimJobs(connection, [
    c.kind,
    c.now,
    c.slots,
    c.group_concurrency,
    JSON.stringify(c.under_way),
    c.after_group,
    c.worker_id,
    c.lease_seconds,
    c.starts ?? false,
    c.since ?? new Date(0),
  ]);
  return { jobs: rows.sort((a, b) => a.id - b.id), oldest: rows[0]?.oldest };
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
  update jobs set payload = new.payload, attempts = attempts + 1, lane_id = null, worker_id = null, leased_until = null
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
  update jobs set run_at = held.run_at, failures = failures + held.failed, worker_id = null, leased_until = null,
    started_at = case when held.interrupted then started_at end,
    lane_id = case when not held.leaves_lane then lane_id end
  from json_to_recordset($1) as held
    (id bigint, attempts integer, run_at timestamptz, failed integer, interrupted boolean, leaves_lane boolean)
  where jobs.id = held.id and jobs.attempts = held.attempts`);

export interface Retry {
  job: Job;
  run_at: Date;
  /** Whether this counts as a failure, which makes the next delay longer. */
  failed: boolean;
  /** The run broke off, perhaps behind its point of no return: where it had passed that, the job says so. */
  interrupted?: boolean;
  /** The jobs behind it in its lane no longer wait for it. */
  leaves_lane?: boolean;
}

/** Gives jobs back to be run at a later time. */
export async function retry(connection: Connection, retries: readonly Retry[]): Promise<void> {
  const held = retries.map(({ job, run_at, failed, interrupted = false, leaves_lane = false }) => ({
    ...key(job),
    run_at,
    failed: failed ? 1 : 0,
    interrupted,
    leaves_lane,
  }));
  if (held.length > 0) await retryJobs(connection, [JSON.stringify(held)]);
}

const noLock = `not exists (
  select from pg_locks l
  where l.locktype = 'advisory' and l.classid = $1 and l.objid = jobs.worker_id::oid and l.granted
    and l.database = (select oid from pg_database where datname = current_database()))`;

const selectDeadWorkers = statement<{ worker_id: number }>(`
  select distinct worker_id from jobs
  where worker_id is not null and leased_until > clock_timestamp() and ${noLock}`);

/** Workers that hold jobs, but not the advisory lock (`lockClass`, worker id) that each live one holds for its session. */
export async function findDeadWorkers(connection: Connection): Promise<number[]> {
  const rows = await selectDeadWorkers(connection, [lockClass]);
  return rows.map((row) => row.worker_id);
}

const releaseOfDeadWorkers = statement<{ kind: string }>(`
  update jobs set worker_id = null, leased_until = null
  where worker_id = any ($2::int[]) and leased_until > clock_timestamp() and ${noLock}
  returning kind`);

/** Frees what these workers held, save those that live after all; answers the kinds of these jobs. */
export async function releaseDead(connection: Connection, workers: readonly number[]): Promise<Set<string>> {
  const rows = await releaseOfDeadWorkers(connection, [lockClass, workers]);
  return new Set(rows.map((row) => row.kind));
}

const releaseNotRunning = statement(`
  update jobs set worker_id = null, leased_until = null, started_at = case when not $4 then started_at end
  where kind = $1 and worker_id = $2 and id <> all ($3::bigint[])`);

/**
 * Frees what this worker claimed and never heard of, because the connection broke before the answer came. None of it was
 * run, so where the claim `starts` jobs these have not started.
 */
export async function releaseLost(
  connection: Connection,
  {
    kind,
    worker_id,
    running,
    starts = false,
  }: Pick<Claim, 'kind' | 'worker_id' | 'starts'> & { running: readonly number[] },
): Promise<void> {
  await releaseNotRunning(connection, [kind, worker_id, running, starts]);
}

/** The first number of the advisory locks that live workers hold. */
export const lockClass = 20_001;

const upsertPause = statement(`
  insert into job_groups as g (kind, group_id, paused_until) values ($1, $2, $3)
  on conflict (kind, group_id) do update set paused_until = greatest(g.paused_until, excluded.paused_until)`);

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

/** Nothing of this group is claimed before `until`. */
export async function pauseGroup(connection: Connection, kind: string, group_id: string, until: Date): Promise<void> {
  await upsertPause(connection, [kind, group_id, until]);
}

/** In the order in which their rows are locked everywhere. */
function heldBy(jobs: readonly Pick<Job, 'id' | 'attempts'>[]): string {
  return JSON.stringify(jobs.map(key).sort((a, b) => a.id - b.id));
}

function key({ id, attempts }: Pick<Job, 'id' | 'attempts'>): { id: number; attempts: number } {
  return { id, attempts };
}
