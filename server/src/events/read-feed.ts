import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { transaction } from '../database/transaction.ts';

/** An event in the feed. */
export interface FedEvent {
  position: number;
  /** The envelope, in the posted bytes. */
  payload: string;
}

export interface FeedQuery {
  /** The position to continue after; 0 means the oldest stored event. */
  after: number;
  count: number;
  workspace_id: string | undefined;
  types: readonly string[];
}

const findUnplaced = statement<{ found: boolean }>(
  `select exists (select from events where position is null order by created_at, id limit 1) as found`,
);
// The holder of this row assigns positions. The next holder sees all events committed before, since its statements start later.
const lockFeed = statement<{ position: number }>(`select position from event_feed for update`);
// An erasure holds the events that it deletes. The feed passes over them: it is one for all workspaces.
const placeEvents = statement(`
  with unplaced as materialized (
    select workspace_id, id, $1::bigint + row_number() over (order by created_at, id) as position
    from (
      select workspace_id, id, created_at from events where position is null order by created_at, id limit 1000
      for update skip locked
    ) e
  ), placed as (
    update events e set position = u.position from unplaced u where e.workspace_id = u.workspace_id and e.id = u.id
  )
  update event_feed set position = (select max(u.position) from unplaced u) where exists (select from unplaced)`);

const selectFed = statement<FedEvent>(
  `select position, payload from events where position > $1 and type = any($3) order by position limit $2`,
);
const selectFedOf = statement<FedEvent>(`
  select position, payload from events where workspace_id = $4 and position > $1 and type = any($3)
  order by position limit $2`);

const selectHead = statement<{ position: number }>('select position from event_feed');

// Millions of events may lack a position. A call ends after this many rounds without an event of its workspace.
const mostRounds = 50;

/** Assigns positions to up to 1,000 committed events. False where no event lacks one. */
async function placeSome(pool: Pool): Promise<boolean> {
  if (!(await findUnplaced(pool, []))[0]!.found) return false;
  await transaction(pool, async (tx) => {
    const [feed] = await lockFeed(tx, []);
    await placeEvents(tx, [feed!.position]);
  });
  return true;
}

/** Assigns positions to the committed events and returns the last one. An event that is not behind it comes later. */
export async function readHead(pool: Pool): Promise<number> {
  for (let round = 0; round < mostRounds && (await placeSome(pool)); round++);
  return (await selectHead(pool, []))[0]!.position;
}

/**
 * Reads the next events of the feed. Each event has one position for ever, and no event appears before a position that was
 * returned. So positions are assigned here, to committed events only: transactions commit in any order.
 */
export async function readFeed(
  pool: Pool,
  { after, count, workspace_id, types }: FeedQuery,
): Promise<{ events: FedEvent[]; has_more: boolean }> {
  for (let round = 0; ; round++) {
    const events = workspace_id
      ? await selectFedOf(pool, [after, count + 1, types, workspace_id])
      : await selectFed(pool, [after, count + 1, types]);
    if (events.length > count) return { events: events.slice(0, count), has_more: true };
    if (round === mostRounds) return { events, has_more: true };
    if (!(await placeSome(pool))) return { events, has_more: false };
  }
}

/** An event of the feed of one workspace. */
export interface ScannedEvent {
  position: number;
  id: string;
  type: string;
  /** Null for a type that was not asked for. */
  payload: string | null;
}

const scan = statement<ScannedEvent>(`
  select position, id, type, case when type = any($4) then payload end as payload
  from events where workspace_id = $1 and position > $2 order by position limit $3`);

/** Reads the next events that have a position, of all types, so that a rare type costs no long search. */
export function scanFeed(
  pool: Pool,
  query: { workspace_id: string; after: number; count: number; types: readonly string[] },
): Promise<ScannedEvent[]> {
  return scan(pool, [query.workspace_id, query.after, query.count, query.types]);
}

const selectBehind = statement<{ workspace_id: string }>(`
  select w.workspace_id from json_to_recordset($1) as w (workspace_id uuid, after bigint)
  where exists (select from events e where e.workspace_id = w.workspace_id and e.position > w.after)`);

/** Of these workspaces, those with an event behind the position. */
export async function findBehind(
  pool: Pool,
  of: readonly { workspace_id: string; after: number }[],
): Promise<string[]> {
  return (await selectBehind(pool, [JSON.stringify(of)])).map(({ workspace_id }) => workspace_id);
}

const selectPosition = statement<{ position: number | null }>(`
  select e.position from workspaces w join events e on e.workspace_id = w.id and e.id = $1`);

/** The position of an event. Undefined for an event that is not stored, or that the feed has not returned yet. */
export async function findPosition(pool: Pool, event_id: string): Promise<number | undefined> {
  return (await selectPosition(pool, [event_id]))[0]?.position ?? undefined;
}
