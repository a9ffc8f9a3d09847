import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Staging } from './claim-jobs.ts';

// What one statement moves: some 15 ms. A million jobs that fall due together are moved in portions between claims.
const portion = 1_000;

const wakeDue = statement<{ id: number }>(`
  with due as materialized (
    select ctid from jobs where kind = $1 and wakes_at >= $3 and wakes_at <= $2
    order by wakes_at limit $4 for update skip locked
  )
  update jobs set is_ready = true, wakes_at = null from due where jobs.ctid = due.ctid
  returning jobs.id`);

// A first job that another transaction has locked or changed may be about to go: its check is kept. Once the lock is held
// here, who removes that job later sees all that this statement saw, and leaves a new check.
const settleQueues = statement<{ settled: number }>(`
  with checks as (
    delete from queue_checks where ctid = any (array(
      select ctid from queue_checks
      where kind = $1 and requested_at >= coalesce(now() - make_interval(secs => $3), '-infinity')
      order by requested_at limit $4 for update skip locked))
    returning queue_key
  ), firsts as materialized (
    select checked.queue_key, first.* from (select distinct queue_key from checks) checked
    cross join lateral (
      select j.ctid as place, j.xmin as version from jobs j
      where j.kind = $1 and j.queue_key = checked.queue_key order by j.id limit 1
    ) first
  ), locked as materialized (
    select f.queue_key, f.place, j.run_at from firsts f
    join jobs j on j.ctid = f.place and j.xmin = f.version
    for no key update of j skip locked
  ), kept as (
    insert into queue_checks (kind, queue_key)
    select $1, queue_key from firsts where queue_key not in (select queue_key from locked)
    returning queue_key
  ), woken as (
    update jobs set is_ready = locked.run_at <= $2, wakes_at = case when locked.run_at > $2 then locked.run_at end
    from locked where jobs.ctid = locked.place and not jobs.is_ready and jobs.wakes_at is null
  )
  select (select count(*) from checks) - (select count(*) from kept) as settled`);

// A claim steps over each paused group with ready jobs: 10,000 of them cost it 65 ms. A group with a large backlog keeps
// most of it ready, because to move it would cost more than to step over the group.
const parkPaused = statement<{ id: number }>(`
  with recursive groups as (
    (select ready_group_id as group_id from jobs where kind = $1 and ready_group_id is not null
     order by ready_group_id, run_at, id limit 1)
    union all
    select next.ready_group_id from groups g
    cross join lateral (
      select j.ready_group_id from jobs j where j.kind = $1 and j.ready_group_id > g.group_id
      order by j.ready_group_id, j.run_at, j.id limit 1
    ) next
  ), parked as materialized (
    select ready.ctid, g.paused_until
    from (
      select group_id, (select p.paused_until from job_groups p where p.kind = $1 and p.group_id = groups.group_id)
      from groups limit $3
    ) g
    cross join lateral (
      select j.ctid from jobs j
      where j.kind = $1 and j.ready_group_id = g.group_id
        and (j.leased_until is null or j.leased_until < clock_timestamp())
      order by j.run_at, j.id limit 20 for update skip locked
    ) ready
    where g.paused_until > $2
    limit $3
  )
  update jobs set is_ready = false, wakes_at = greatest(run_at, parked.paused_until) from parked where jobs.ctid = parked.ctid
  returning jobs.id`);

/**
 * Makes jobs ready whose time or turn has come, and parks those of paused groups: of each at most one portion. Answers
 * how many were moved: after none, another call moves none either.
 */
export async function stage(
  connection: Connection,
  kind: string,
  now: Date,
  { since, checks_within_seconds, has_due, has_checks, has_paused }: Staging,
): Promise<number> {
  let moved = 0;
  if (has_due) moved += (await wakeDue(connection, [kind, now, since, portion])).length;
  if (has_checks) moved += (await settleQueues(connection, [kind, now, checks_within_seconds, portion]))[0]!.settled;
  if (has_paused) moved += (await parkPaused(connection, [kind, now, portion])).length;
  return moved;
}
