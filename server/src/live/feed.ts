import type { Connection, Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { transaction } from '../database/transaction.ts';

/** A change with its position, and the conversation as it is now. */
export interface FedChange {
  position: number;
  workspace_id: string;
  kind: string;
  conversation_id: string | null;
  object_id: string | null;
  for_user_id: string | null;
  former_assignee_id: string | null;
  former_team_id: string | null;
  details: Record<string, unknown> | null;
  /** False for a conversation that is erased. */
  is_present: boolean;
  assignee_id: string | null;
  team_id: string | null;
  /** Of `contact`: who has the conversations of the contact now, each as assignee and team. */
  holders: [assignee_id: string | null, team_id: string | null][] | null;
}

export interface FeedHead {
  /** Another one after a crash of PostgreSQL, which empties the feed. */
  epoch: string;
  /** The last assigned position. */
  position: number;
  /** The last deleted position. */
  forgotten: number;
}

const selectHead = statement<FeedHead & { waits: boolean }>(`
  select epoch, position, forgotten, exists (select from live_changes where position is null) as waits from live_feed`);
const beginFeed = statement('insert into live_feed default values on conflict do nothing');
const lockFeed = statement<{ position: number }>('select position from live_feed for update');
// By the place of a row, which only this statement changes: without statistics, a join by id compares each row with each.
const placeChanges = statement(`
  with unplaced as materialized (
    select ctid, $1::bigint + row_number() over (order by id) as position
    from (select ctid, id from live_changes where position is null order by id limit 5000) l
  ), placed as (
    update live_changes l set position = u.position from unplaced u where l.ctid = u.ctid
  )
  update live_feed set position = (select max(u.position) from unplaced u) where exists (select from unplaced)`);

/** Assigns positions to all committed changes and reads the end of the feed. */
export async function readHead(pool: Pool): Promise<FeedHead> {
  for (;;) {
    const [head] = await selectHead(pool, []);
    if (!head) await beginFeed(pool, []);
    else if (!head.waits) return head;
    else await transaction(pool, placeUnplaced);
  }
}

// The next holder of the lock sees all that this one placed, because its statement starts later.
async function placeUnplaced(connection: Connection): Promise<void> {
  const [feed] = await lockFeed(connection, []);
  if (feed) await placeChanges(connection, [feed.position]);
}

const selectChanges = statement<FedChange>(`
  select l.position, l.workspace_id, l.kind, l.conversation_id, l.object_id, l.for_user_id, l.former_assignee_id,
    l.former_team_id, l.details, c.contact_id is not null as is_present, c.assignee_id, c.team_id,
    case when l.kind = 'contact' then (select coalesce(json_agg(distinct jsonb_build_array(o.assignee_id, o.team_id)), '[]')
      from conversations o where o.workspace_id = l.workspace_id and o.contact_id = l.object_id) end as holders
  from live_changes l left join conversations c on c.workspace_id = l.workspace_id and c.id = l.conversation_id
  where l.position > $1 and l.position <= $2 and l.workspace_id = any($3::uuid[])
  order by l.position limit $4`);

interface FeedRange {
  after: number;
  to: number;
  workspace_ids: readonly string[];
  count: number;
}

export function readChanges(connection: Connection, range: FeedRange): Promise<FedChange[]> {
  return selectChanges(connection, [range.after, range.to, range.workspace_ids, range.count]);
}

const keptSeconds = 900;
const keptPositions = 1_000_000;
// Without a console nobody assigns positions. A restart takes less time.
const unplacedSeconds = 180;
const deletedAtOnce = 10_000;

const deletePlaced = statement<{ count: number; up_to: number | null }>(`
  with old as materialized (
    select position from (select position, changed_at from live_changes where position is not null order by position limit $1) l
    where changed_at < clock_timestamp() - make_interval(secs => $2) or position <= $3
  ), gone as (
    delete from live_changes l using old where l.position = old.position
  )
  select count(*) as count, max(position) as up_to from old`);
const deleteUnplaced = statement<{ count: number }>(`
  with old as materialized (
    select id from (select id, changed_at from live_changes where position is null order by id limit $1) l
    where changed_at < clock_timestamp() - make_interval(secs => $2)
  ), gone as (
    delete from live_changes l using old where l.id = old.id and l.position is null
  )
  select count(*) as count from old`);
const forget = statement('update live_feed set forgotten = greatest(forgotten, $1)');
// The deleted changes had no position. A client behind them resumes from no earlier position.
const forgetAll = statement('update live_feed set position = position + 1, forgotten = position + 1');

/** Deletes the oldest changes. Resolves to true while old ones are left. */
export function forgetChanges(pool: Pool): Promise<boolean> {
  return transaction(pool, async (tx) => {
    const [feed] = await lockFeed(tx, []);
    if (!feed) {
      await beginFeed(tx, []);
      return true;
    }
    const [placed] = await deletePlaced(tx, [deletedAtOnce, keptSeconds, feed.position - keptPositions]);
    if (placed!.up_to !== null) await forget(tx, [placed!.up_to]);
    const [unplaced] = await deleteUnplaced(tx, [deletedAtOnce, unplacedSeconds]);
    if (unplaced!.count > 0) await forgetAll(tx, []);
    return placed!.count === deletedAtOnce || unplaced!.count === deletedAtOnce;
  });
}
