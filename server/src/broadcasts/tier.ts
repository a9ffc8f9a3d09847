import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

const dayMs = 24 * 3600 * 1000;

export interface TierState {
  /** Null without a known limit. */
  messaging_tier: number | null;
  /** How many new customers the number may still write to. */
  places: number;
  /** When the next place becomes free; undefined where none is taken. */
  next_at: Date | undefined;
  /** The start of the 24 hours that count. */
  since: Date;
}

/**
 * Whether message `m` takes a place. A failed message was refused and takes none, unless its outcome is unknown: then it may
 * have been sent.
 */
export const takesPlace = `m.initiates and (m.status is distinct from 'failed' or m.outcome_unknown)`;

// Serialises the broadcasts of a number from the count to the commit.
const lockNumber = statement(`select pg_advisory_xact_lock(hashtextextended('broadcasts.tier ' || $1, 0))`);

const selectReached = statement<{ messaging_tier: number | null; reached: number; oldest: Date | null }>(`
  select ch.messaging_tier, r.reached, r.oldest
  from channels ch
  cross join lateral (
    select count(*)::int as reached, min(latest) as oldest from (
      select max(m.created_at) as latest from messages m
      where m.workspace_id = ch.workspace_id and m.channel_id = ch.id and m.created_at > $3 and ${takesPlace}
      group by m.conversation_id
      union all
      select e.taken_at from erased_places e
      where e.workspace_id = ch.workspace_id and e.channel_id = ch.id and e.taken_at > $3
    ) customers
  ) r
  where ch.workspace_id = $1 and ch.id = $2`);

/**
 * Locks and counts the free places of a number's messaging tier: the customers it may write to outside their windows in any
 * 24 hours. The count covers all stored messages and the places of erased contacts. Without a known tier there is no limit.
 */
export async function lockTier(
  tx: Transaction,
  { workspace_id, channel_id }: { workspace_id: string; channel_id: string },
  now: Date,
): Promise<TierState> {
  await lockNumber(tx, [channel_id]);
  return readTier(tx, { workspace_id, channel_id }, now);
}

/** Counts the free places without a lock, for people to see. */
export async function readTier(
  connection: Connection,
  { workspace_id, channel_id }: { workspace_id: string; channel_id: string },
  now: Date,
): Promise<TierState> {
  const since = new Date(now.getTime() - dayMs);
  const [row] = await selectReached(connection, [workspace_id, channel_id, since]);
  const { messaging_tier, reached, oldest } = row!;
  return {
    messaging_tier,
    places: messaging_tier === null ? Number.POSITIVE_INFINITY : Math.max(0, messaging_tier - reached),
    next_at: oldest ? new Date(oldest.getTime() + dayMs) : undefined,
    since,
  };
}

// The database's clock is never ahead of the service's, so a place a day old by it has expired.
const insertKept = statement(`
  with past as (
    delete from erased_places where workspace_id = $1 and taken_at < now() - interval '1 day'
  )
  insert into erased_places (workspace_id, channel_id, taken_at)
  select m.workspace_id, m.channel_id, max(m.created_at) from messages m
  where m.workspace_id = $1 and m.conversation_id = any ($2::uuid[]) and ${takesPlace}
    and m.created_at > now() - interval '1 day'
  group by m.workspace_id, m.channel_id`);

/** Keeps the places of conversations that are erased, without a reference to the customer. */
export async function keepPlaces(
  tx: Transaction,
  workspace_id: string,
  conversation_ids: readonly string[],
): Promise<void> {
  await insertKept(tx, [workspace_id, conversation_ids]);
}
