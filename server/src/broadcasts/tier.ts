import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

const dayMs = 24 * 3600 * 1000;

export interface TierState {
  /** Null without a known limit. */
  messaging_tier: number | null;
  /** How many new customers the account may still write to. */
  places: number;
  /** When the next place becomes free; undefined where none is taken, or without a limit. */
  next_at: Date | undefined;
  /** The start of the 24 hours that count. */
  since: Date;
}

/**
 * Whether message `m` takes a place. A failed message was refused and takes none, unless its outcome is unknown: then it may
 * have been sent.
 */
export const takesPlace = `m.initiates and (m.status is distinct from 'failed' or m.outcome_unknown)`;

// Serialises the broadcasts of an account from the count to the commit, whatever their numbers.
const lockAccount = statement(`
  select pg_advisory_xact_lock(hashtextextended('broadcasts.tier ' || ch.workspace_id || ' ' || ch.waba_id, 0))
  from channels ch where ch.workspace_id = $1 and ch.id = $2`);

const selectNumbers = statement<{ messaging_tier: number | null; numbers: string[] }>(`
  select ch.messaging_tier,
    array(select n.id from channels n where n.workspace_id = ch.workspace_id and n.waba_id = ch.waba_id) as numbers
  from channels ch where ch.workspace_id = $1 and ch.id = $2`);

interface Reached {
  reached: number;
  oldest: Date | null;
}

const writtenByNumber = `
  select m.conversation_id, max(m.created_at) as latest from messages m
  where m.workspace_id = $1 and m.channel_id = n.id and m.created_at > $3 and ${takesPlace}
  group by m.conversation_id`;

const erased = `
  select e.taken_at from erased_places e
  where e.workspace_id = $1 and e.channel_id = any ($2::uuid[]) and e.taken_at > $3`;

// The one number of an account has a conversation for each customer. Reading their contacts takes three times as long: 1 s for
// 100,000 customers, with every batch.
const selectReachedByOne = statement<Reached>(`
  select count(*)::int as reached, min(latest) as oldest from (
    select written.latest from unnest($2::uuid[]) as n (id) cross join lateral (${writtenByNumber}) written
    union all ${erased}
  ) customers`);

const selectReachedBySeveral = statement<Reached>(`
  select count(*)::int as reached, min(latest) as oldest from (
    select max(written.latest) as latest
    from unnest($2::uuid[]) as n (id) cross join lateral (${writtenByNumber}) written
    join conversations c on c.workspace_id = $1 and c.id = written.conversation_id
    group by coalesce(c.contact_id, c.id)
    union all ${erased}
  ) customers`);

/**
 * Locks and counts the free places of the messaging tier that the numbers of an account share: the customers that they may write
 * to outside their windows in any 24 hours. A customer of several numbers counts once. The count covers all stored messages and
 * the places of erased contacts. Without a known tier there is no limit.
 */
export async function lockTier(
  tx: Transaction,
  { workspace_id, channel_id }: { workspace_id: string; channel_id: string },
  now: Date,
): Promise<TierState> {
  await lockAccount(tx, [workspace_id, channel_id]);
  return readTier(tx, { workspace_id, channel_id }, now);
}

/** Counts the free places without a lock, for people to see. */
export async function readTier(
  connection: Connection,
  { workspace_id, channel_id }: { workspace_id: string; channel_id: string },
  now: Date,
): Promise<TierState> {
  const since = new Date(now.getTime() - dayMs);
  const [row] = await selectNumbers(connection, [workspace_id, channel_id]);
  const { messaging_tier, numbers } = row!;
  if (messaging_tier === null) {
    return { messaging_tier, places: Number.POSITIVE_INFINITY, next_at: undefined, since };
  }
  const selectReached = numbers.length === 1 ? selectReachedByOne : selectReachedBySeveral;
  const [counted] = await selectReached(connection, [workspace_id, numbers, since]);
  const { reached, oldest } = counted!;
  return {
    messaging_tier,
    places: Math.max(0, messaging_tier - reached),
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
  select distinct on (ch.waba_id) m.workspace_id, m.channel_id, m.created_at
  from messages m join channels ch on ch.workspace_id = m.workspace_id and ch.id = m.channel_id
  where m.workspace_id = $1 and m.conversation_id = any ($2::uuid[]) and ${takesPlace}
    and m.created_at > now() - interval '1 day'
  order by ch.waba_id, m.created_at desc`);

/** Keeps the places of a customer who is erased, one for each account, without a reference to the customer. */
export async function keepPlaces(
  tx: Transaction,
  workspace_id: string,
  conversation_ids: readonly string[],
): Promise<void> {
  await insertKept(tx, [workspace_id, conversation_ids]);
}
