import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

const dayMs = 24 * 3600 * 1000;

export interface TierState {
  /** New customers whom the number may still write to. */
  places: number;
  /** When the next place falls free, where one was taken. */
  next_at: Date | undefined;
  /** Since when customers count. */
  since: Date;
}

/**
 * Whether message `m` takes a place. One that failed takes none, for the platform refused it, save where nobody knows: it may
 * well have been sent.
 */
export const takesPlace = `m.initiates and (m.status is distinct from 'failed' or m.outcome_unknown)`;

// One broadcast of a number at a time looks and takes; others of the same number wait for its commit.
const takeTurn = statement(`select pg_advisory_xact_lock(hashtextextended('broadcasts.tier ' || $1, 0))`);

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
 * What the messaging tier of a number leaves: it may write to so many customers in any 24 hours outside their windows,
 * whatever sent the messages. Counted from the stored messages and from the places of who was erased, so a restart changes
 * nothing. A number without a known tier has no bound.
 */
export async function lockTier(
  tx: Transaction,
  { workspace_id, channel_id }: { workspace_id: string; channel_id: string },
  now: Date,
): Promise<TierState> {
  await takeTurn(tx, [channel_id]);
  const since = new Date(now.getTime() - dayMs);
  const [row] = await selectReached(tx, [workspace_id, channel_id, since]);
  const { messaging_tier, reached, oldest } = row!;
  return {
    places: messaging_tier === null ? Number.POSITIVE_INFINITY : Math.max(0, messaging_tier - reached),
    next_at: oldest ? new Date(oldest.getTime() + dayMs) : undefined,
    since,
  };
}

// The database's clock is never ahead of ours: what it finds a day old is.
const insertKept = statement(`
  with past as (
    delete from erased_places where workspace_id = $1 and taken_at < now() - interval '1 day'
  )
  insert into erased_places (workspace_id, channel_id, taken_at)
  select m.workspace_id, m.channel_id, max(m.created_at) from messages m
  where m.workspace_id = $1 and m.conversation_id = any ($2::uuid[]) and ${takesPlace}
    and m.created_at > now() - interval '1 day'
  group by m.workspace_id, m.channel_id`);

/** The places that these conversations take stay taken when they are erased; nothing says by whom. */
export async function keepPlaces(
  tx: Transaction,
  workspace_id: string,
  conversation_ids: readonly string[],
): Promise<void> {
  await insertKept(tx, [workspace_id, conversation_ids]);
}
