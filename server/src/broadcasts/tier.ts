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

// One broadcast of a number at a time looks and takes; others of the same number wait for its commit.
const takeTurn = statement(`select pg_advisory_xact_lock(hashtextextended('broadcasts.tier ' || $1, 0))`);

const selectReached = statement<{ messaging_tier: number | null; reached: number; oldest: Date | null }>(`
  select ch.messaging_tier, r.reached, r.oldest
  from channels ch
  cross join lateral (
    select count(*)::int as reached, min(latest) as oldest from (
      select max(m.created_at) as latest from messages m
      where m.workspace_id = ch.workspace_id and m.channel_id = ch.id and m.initiates and m.created_at > $3
        and m.status is distinct from 'failed'
      group by m.conversation_id
    ) customers
  ) r
  where ch.workspace_id = $1 and ch.id = $2`);

/**
 * What the messaging tier of a number leaves: it may write to so many customers in any 24 hours outside their windows,
 * whatever sent the messages. Counted from the stored messages, so a restart changes nothing. A number without a known
 * tier has no bound.
 */
export async function lookAtTier(
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
