import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { transaction } from '../database/transaction.ts';

/** An event in the feed. */
export interface FedEvent {
  position: number;
  /** The envelope, in the bytes that were posted. */
  payload: string;
}

export interface FeedQuery {
  /** The place behind which to go on; 0 is the beginning of what is kept. */
  after: number;
  count: number;
  workspace_id: string | undefined;
}

const findUnplaced = statement<{ found: boolean }>(
  `select exists (select from events where position is null order by created_at, id limit 1) as found`,
);
// Whoever holds this row places events; the next one sees what was committed meanwhile, because its statements come after.
const lockFeed = statement<{ position: number }>(`select position from event_feed for update`);
const placeEvents = statement(`
  with unplaced as materialized (
    select workspace_id, id, $1::bigint + row_number() over (order by created_at, id) as position
    from (select workspace_id, id, created_at from events where position is null order by created_at, id limit 1000) e
  ), placed as (
    update events e set position = u.position from unplaced u where e.workspace_id = u.workspace_id and e.id = u.id
  )
  update event_feed set position = (select max(u.position) from unplaced u) where exists (select from unplaced)`);

const selectFed = statement<FedEvent>(
  `select position, payload from events where position > $1 order by position limit $2`,
);
const selectFedOf = statement<FedEvent>(`
  select position, payload from events where workspace_id = $3 and position > $1 order by position limit $2`);

// Of those that nobody has read yet there may be millions; a call that finds nothing of its workspace among these ends.
const mostRounds = 50;

/**
 * The next events of the feed. Each has one place for ever, and none appears before a place that was handed out: the
 * places are given here, to committed events alone, and not while they are recorded, which happens in any order.
 */
export async function readFeed(
  pool: Pool,
  { after, count, workspace_id }: FeedQuery,
): Promise<{ events: FedEvent[]; has_more: boolean }> {
  for (let round = 0; ; round++) {
    const events = workspace_id
      ? await selectFedOf(pool, [after, count + 1, workspace_id])
      : await selectFed(pool, [after, count + 1]);
    if (events.length > count) return { events: events.slice(0, count), has_more: true };
    if (!(await findUnplaced(pool, []))[0]!.found) return { events, has_more: false };
    if (round === mostRounds) return { events, has_more: true };
    await transaction(pool, async (tx) => {
      const [feed] = await lockFeed(tx, []);
      await placeEvents(tx, [feed!.position]);
    });
  }
}

const selectPosition = statement<{ position: number | null }>(`
  select e.position from workspaces w join events e on e.workspace_id = w.id and e.id = $1`);

/** The place of an event: undefined for one that is not kept, or that the feed has not handed out. */
export async function findPosition(pool: Pool, event_id: string): Promise<number | undefined> {
  return (await selectPosition(pool, [event_id]))[0]?.position ?? undefined;
}
