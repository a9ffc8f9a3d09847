import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Job } from './job.ts';

// Fewer paused groups than these are stepped over; the jobs of more are parked until their pause ends.
const mostPausedGroups = 32;

// The recursion is a loose index scan over the groups with ready jobs: one descent of the index for each, however long its
// backlog. It begins behind the group served last and wraps around, so no group starves, and it ends once the slots are
// filled. `jobs_ready` holds the first job of each queue key. After races it also holds a later one, so the claim itself
// checks that no older job exists: an older one keeps the younger ones waiting, leased or put off, without a lock.
//
// The update finds its rows by `ctid`. By `id` the planner reads the whole primary key, while the statistics are those of a
// moment at which the table was empty. A row that changed since the statement began is left to the next claim.
const claimReady = statement<
  Omit<Staging, 'since' | 'checks_within_seconds'> & { [Field in keyof Job]: Job[Field] | null }
>(`
  with recursive groups as (
    (
      (select ready_group_id as group_id, false as is_wrapped from jobs
       where kind = $1 and run_at >= $10 and ready_group_id > $6
       order by ready_group_id, run_at, id limit 1)
      union all
      (select ready_group_id, true from jobs where kind = $1 and ready_group_id is not null and run_at >= $10
       order by ready_group_id, run_at, id limit 1)
      limit 1
    )
    union all
    select next.* from groups g
    cross join lateral (
      (select j.ready_group_id as group_id, g.is_wrapped from jobs j
       where j.kind = $1 and j.ready_group_id > g.group_id and j.run_at >= $10
       order by j.ready_group_id, j.run_at, j.id limit 1)
      union all
      (select j.ready_group_id, true from jobs j
       where not g.is_wrapped and j.kind = $1 and j.ready_group_id is not null and j.run_at >= $10
       order by j.ready_group_id, j.run_at, j.id limit 1)
      limit 1
    ) next
    where (next.is_wrapped and next.group_id > $6) is not true
  ), claimable as materialized (
    select due.ctid, due.started_at
    from groups g
    cross join lateral (
      select j.ctid, j.started_at from jobs j
      where j.kind = $1 and j.ready_group_id = g.group_id and j.run_at >= $10 and j.run_at <= $2
        and (j.leased_until is null or j.leased_until < clock_timestamp())
        and (j.queue_key is null
             or not exists (select from jobs o where o.kind = $1 and o.queue_key = j.queue_key and o.id < j.id))
      order by j.run_at, j.id
      limit greatest($4 - coalesce((($5::json) ->> g.group_id::text)::int, 0), 0)
      for update skip locked
    ) due
    where (select p.paused_until > $2 from job_groups p where p.kind = $1 and p.group_id = g.group_id) is not true
    limit $3
  ), claimed as (
    update jobs set attempts = attempts + 1, worker_id = $7,
      leased_until = clock_timestamp() + make_interval(secs => $8),
      started_at = case when $9 then $2 else jobs.started_at end
    from claimable where jobs.ctid = claimable.ctid
    returning jobs.id, kind, group_id, queue_key, payload, run_at, attempts, failures, claimable.started_at
  )
  select claimed.*,
    coalesce((select wakes_at from jobs where kind = $1 and wakes_at >= $10 order by wakes_at limit 1) <= $2, false)
      as has_due,
    exists (
      select from queue_checks where kind = $1 and requested_at >= coalesce(now() - make_interval(secs => $12), '-infinity')
      order by requested_at limit 1) as has_checks,
    (select count(*) = $11 from (
       select from job_groups where kind = $1 and paused_until > $2 order by paused_until limit $11) paused) as has_paused
  from (values (1)) always left join claimed on true`);

export interface Claim {
  kind: string;
  now: Date;
  /** At most so many. */
  slots: number;
  group_concurrency: number;
  /** Runs under way in this process, by group. */
  under_way: Readonly<Record<string, number>>;
  /** The group served last. */
  after_group: string | undefined;
  worker_id: number;
  lease_seconds: number;
  /** The claim is the point of no return of these jobs. */
  starts?: boolean;
  /** Jobs of an earlier time are left alone; without it, none is. */
  since?: Date;
  /** Only checks of queue keys that are no older; without it, all. */
  checks_within_seconds?: number | undefined;
}

/** Which jobs are to be staged, so that a later claim finds them. */
export interface Staging {
  since: Date;
  checks_within_seconds: number | undefined;
  /** Jobs whose time has come. */
  has_due: boolean;
  /** Queue keys whose first job may be blocked. */
  has_checks: boolean;
  /** Many groups are paused. */
  has_paused: boolean;
}

export interface Claimed {
  jobs: Job[];
  staging: Staging;
}

export async function claim(connection: Connection, c: Claim): Promise<Claimed> {
  const { since = new Date(0), checks_within_seconds } = c;
  const rows = await claimReady(connection, [
    c.kind,
    c.now,
    c.slots,
    c.group_concurrency,
    JSON.stringify(c.under_way),
    c.after_group,
    c.worker_id,
    c.lease_seconds,
    c.starts ?? false,
    since,
    mostPausedGroups + 1,
    checks_within_seconds,
  ]);
  const { has_due, has_checks, has_paused } = rows[0]!;
  const jobs = rows.flatMap(({ has_due, has_checks, has_paused, ...job }) => (job.id === null ? [] : [job as Job]));
  return {
    jobs: jobs.sort((a, b) => a.id - b.id),
    staging: { since, checks_within_seconds, has_due, has_checks, has_paused },
  };
}

const selectOldest = statement<{ oldest: Date | null }>(`
  with recursive groups as (
    (select ready_group_id, run_at from jobs where kind = $1 and ready_group_id is not null
     order by ready_group_id, run_at, id limit 1)
    union all
    select next.* from groups g
    cross join lateral (
      select j.ready_group_id, j.run_at from jobs j where j.kind = $1 and j.ready_group_id > g.ready_group_id
      order by j.ready_group_id, j.run_at, j.id limit 1
    ) next
  )
  select min(run_at) as oldest from groups`);

/** When the oldest ready job of this kind was to run, claimed or not. */
export async function findOldestReady(connection: Connection, kind: string): Promise<Date | undefined> {
  return (await selectOldest(connection, [kind]))[0]!.oldest ?? undefined;
}

const selectKinds = statement<{ kind: string }>(`
  select k.kind from unnest($1::text[]) as k (kind)
  where exists (select from jobs j where j.kind = k.kind and j.ready_group_id is not null)
    or exists (select from jobs j where j.kind = k.kind and j.wakes_at <= $2)
    or exists (select from queue_checks c where c.kind = k.kind)`);

/** The kinds, among these, that have work to claim or to stage. A poll asks once for all: at rest, a claim finds nothing. */
export async function findKindsWithWork(
  connection: Connection,
  kinds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  return new Set((await selectKinds(connection, [kinds, now])).map(({ kind }) => kind));
}
