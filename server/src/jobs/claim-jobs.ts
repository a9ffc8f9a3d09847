import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Job, TenantPlaces } from './job.ts';

// Claims skip up to this many paused groups. The jobs of more groups are parked until their pause ends.
const mostPausedGroups = 32;

/**
 * The rows of a recursive query `ring`: a loose index scan over the values of a column, one descent of the index per value, for a
 * backlog of any length. It begins behind `after` and wraps around, so none starves. It ends when the slots are filled.
 */
function scanRing(column: string, { of, order, after }: { of: string; order: string; after: string }): string {
  const next = (given: string, is_wrapped: string) => `
      (select j.${column} as id, ${is_wrapped} as is_wrapped from jobs j
       where j.kind = $1 and ${of} and ${given} and j.run_at >= $10 order by ${order} limit 1)`;
  return `
    (${next(`j.${column} > ${after}`, 'false')}
      union all ${next(`j.${column} is not null`, 'true')}
      limit 1
    )
    union all
    select next.* from ring r
    cross join lateral (${next(`j.${column} > r.id`, 'r.is_wrapped')}
      union all ${next(`not r.is_wrapped and j.${column} is not null`, 'true')}
      limit 1
    ) next
    where (next.is_wrapped and next.id > ${after}) is not true`;
}

// `jobs_ready` contains the first job of each queue key. After a race it may contain a later one too, so the claim checks that no
// older job exists.
//
// The places under way are jsonb, which finds a key without a parse: as json, 1,000 narrowed groups cost a claim 300 ms.
//
// The update finds its rows by `ctid`. By `id` the planner would read the whole primary key after statistics of an empty table. A
// row that changed since the start of the statement is left to the next claim.
const claimFrom = (claimable: string) => `
  with recursive ${claimable}, claimed as (
    update jobs set attempts = attempts + 1, worker_id = $7,
      leased_until = clock_timestamp() + make_interval(secs => $8),
      started_at = case when $9 then $2 else jobs.started_at end
    from claimable where jobs.ctid = claimable.ctid
    returning jobs.id, kind, group_id, tenant_id, queue_key, payload, run_at, attempts, failures, steps_done,
      claimable.started_at
  )
  select claimed.*,
    coalesce((select wakes_at from jobs where kind = $1 and wakes_at >= $10 order by wakes_at limit 1) <= $2, false)
      as has_due,
    exists (
      select from queue_checks where kind = $1 and requested_at >= coalesce(now() - make_interval(secs => $12), '-infinity')
      order by requested_at limit 1) as has_checks,
    (select count(*) = $11 from (
       select from job_groups where kind = $1 and paused_until > $2 order by paused_until limit $11) paused) as has_paused
  from (values (1)) always left join claimed on true`;

/** The first jobs of the group `g`, as many as it has places. */
const claimGroup = (of: string) => `
    select j.ctid, j.started_at from jobs j
    where j.kind = $1 and ${of} and j.ready_group_id = g.id and j.run_at >= $10 and j.run_at <= $2
      and (j.leased_until is null or j.leased_until < clock_timestamp())
      and (j.queue_key is null
           or not exists (select from jobs o where o.kind = $1 and o.queue_key = j.queue_key and o.id < j.id))
    order by j.run_at, j.id
    limit greatest($4 - coalesce((($5::jsonb) ->> g.id::text)::int, 0), 0)
    for update skip locked`;
const isPaused = `(select p.paused_until > $2 from job_groups p where p.kind = $1 and p.group_id = g.id)`;

type ClaimedRow = Omit<Staging, 'since' | 'checks_within_seconds'> & { [Field in keyof Job]: Job[Field] | null };

const claimOfGroups = statement<ClaimedRow>(
  claimFrom(`
  ring as (${scanRing('ready_group_id', { of: 'true', order: 'j.ready_group_id, j.run_at, j.id', after: '$6' })}
  ), claimable as materialized (
    select due.ctid, due.started_at from ring g
    cross join lateral (${claimGroup('true')}) due
    where ${isPaused} is not true
    limit $3
  )`),
);

// A tenant whose places are taken costs one descent of the index, however many groups it has.
const ofTenant = 'j.ready_tenant_id = t.id';
const tenantOrder = 'j.ready_tenant_id, j.ready_group_id, j.run_at, j.id';
const claimOfTenants = statement<ClaimedRow>(
  claimFrom(`
  ring as (${scanRing('ready_tenant_id', { of: 'true', order: tenantOrder, after: '$6' })}
  ), claimable as materialized (
    select due.ctid, due.started_at
    from (select id, (($14::jsonb) ->> id::text)::uuid as last_group from ring) t
    cross join lateral (
      with recursive ring as (${scanRing('ready_group_id', { of: ofTenant, order: tenantOrder, after: 't.last_group' })}
      )
      select due.* from ring g
      cross join lateral (${claimGroup(ofTenant)}) due
      where ${isPaused} is not true
      limit coalesce((($13::jsonb) ->> t.id::text)::int, $15)
    ) due
    limit $3
  )`),
);

export interface Claim {
  kind: string;
  now: Date;
  /** The maximal number of jobs. */
  slots: number;
  group_concurrency: number;
  /** The number of runs in this process, by group. */
  under_way: Readonly<Record<string, number>>;
  /** The group that was served last, or the tenant. */
  after_group: string | undefined;
  /** Claims by tenant, and by group within each. */
  tenants?: TenantShares | undefined;
  worker_id: number;
  lease_seconds: number;
  /** Whether the claim is the point of no return. */
  starts?: boolean;
  /** Skips jobs with an earlier time. By default none is skipped. */
  since?: Date;
  /** Skips older checks of queue keys. By default none is skipped. */
  checks_within_seconds?: number | undefined;
}

export interface TenantShares extends TenantPlaces {
  /** The group of each tenant that was served last. */
  after_groups: Readonly<Record<string, string>>;
}

/** The kinds of staging that are needed, so that a later claim finds the jobs. */
export interface Staging {
  since: Date;
  checks_within_seconds: number | undefined;
  /** Jobs are due. */
  has_due: boolean;
  /** Queue keys need a check, because their first job may be blocked. */
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
  const values = [
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
  ];
  const shares = c.tenants && [JSON.stringify(c.tenants.left), JSON.stringify(c.tenants.after_groups), c.tenants.each];
  const rows = await (shares ? claimOfTenants(connection, [...values, ...shares]) : claimOfGroups(connection, values));
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

/** The `run_at` of the oldest ready job of this kind, claimed or not. */
export async function findOldestReady(connection: Connection, kind: string): Promise<Date | undefined> {
  return (await selectOldest(connection, [kind]))[0]!.oldest ?? undefined;
}

const selectKinds = statement<{ kind: string }>(`
  select k.kind from unnest($1::text[]) as k (kind)
  where exists (select from jobs j where j.kind = k.kind and j.ready_group_id is not null)
    or exists (select from jobs j where j.kind = k.kind and j.wakes_at <= $2)
    or exists (select from queue_checks c where c.kind = k.kind)`);

/** Selects the kinds with jobs to claim or to stage, so that an idle poll costs one statement instead of one claim per kind. */
export async function findKindsWithWork(
  connection: Connection,
  kinds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  return new Set((await selectKinds(connection, [kinds, now])).map(({ kind }) => kind));
}
