import type { WebhookChannel } from '../channels/queries.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { IdentityChangeItem } from '../platform/customer-items.ts';
import type { IgnoredItem, PlatformItem } from '../platform/items.ts';
import type { CustomerIds } from '../platform/origin.ts';
import type { Placed } from './placed-item.ts';

const reason = 'identity change of an unknown person';

/** What a notice keeps of a change. */
type KeptChange = Pick<IdentityChangeItem, 'platform_message_id' | 'previous' | 'current'> & { at: string };

/** The notice of a change whose person nobody knows yet. An earlier change may still be under way, and makes them known. */
export function noticeOf({ channel, item, is_outdated }: Placed<IdentityChangeItem>): Placed<IgnoredItem> {
  const { waba_id, phone_number_id, platform_message_id, previous, current, at } = item;
  const raw = { platform_message_id, previous, current, at: at.toISOString() };
  return {
    channel,
    item: { type: 'ignored', waba_id, phone_number_id, field: 'messages', reason, raw },
    is_outdated,
  };
}

interface Kept {
  id: string;
  change: Omit<KeptChange, 'at'> & { at: Date };
}

// The index of these notices alone is small. The case keeps notices that were cut, and are no JSON, from the conversion.
const selectKept = statement<{ id: string; raw: string }>(`
  select id, raw from platform_notices
  where workspace_id = $1 and channel_id = $2 and reason = '${reason}'
    and case when reason = '${reason}'
      then raw::json #>> '{previous,wa_id}' = any ($3::text[]) or raw::json #>> '{previous,user_id}' = any ($3::text[]) end`);

const deleteKept = statement(`delete from platform_notices where workspace_id = $1 and id = any ($2::uuid[])`);

/** Takes the kept changes that continue this one, the earliest first. Numbers are handed on, so an older change is of another person. */
export async function takeContinuing(
  tx: Transaction,
  { channel, item }: Placed<IdentityChangeItem>,
): Promise<Placed<IdentityChangeItem>[]> {
  const kept = await findKept(tx, channel, [item.current]);
  return take(tx, channel, laterOf(kept, item.current, item.at));
}

/** The items by which a person becomes known. */
type BeginningItem = Extract<PlatformItem, { type: 'message' | 'echo' | 'imported' | 'call' | 'handover' }>;

/**
 * The items with the kept changes that followed them, each after the first item of its person: the platform told the change before. The
 * usual channel keeps none, which costs nothing.
 */
export async function withEarlyChanges(tx: Transaction, placed: readonly Placed[]): Promise<Placed[]> {
  const beginnings = placed.filter(isBeginning);
  const changesAfter = new Map<Placed, Placed<IdentityChangeItem>[]>();
  for (const [channel, all] of byChannel(beginnings)) {
    const kept = await findKept(
      tx,
      channel,
      all.map(({ item }) => item),
    );
    for (const one of kept) {
      const { previous, at } = one.change;
      const first = all.find(({ item }) => isSame(previous, item));
      if (first?.item.at === undefined || first.item.at > at || (await isOfLater(tx, channel, one, first.item)))
        continue;
      changesAfter.set(first, [...(changesAfter.get(first) ?? []), ...(await take(tx, channel, [one]))]);
    }
  }
  return placed.flatMap((one) => [one, ...(changesAfter.get(one) ?? []).toSorted(byTime)]);
}

function isBeginning(placed: Placed): placed is Placed<BeginningItem> {
  return ['message', 'echo', 'imported', 'call', 'handover'].includes(placed.item.type);
}

function byChannel<Item extends PlatformItem>(placed: readonly Placed<Item>[]) {
  const channels = new Map(placed.map(({ channel }) => [channel.id, channel]));
  return [...channels.values()].map(
    (channel) => [channel, placed.filter((one) => one.channel.id === channel.id)] as const,
  );
}

const selectLater = statement(`
  select from contact_identities i join contacts c on c.workspace_id = i.workspace_id and c.id = i.contact_id
  where i.workspace_id = $1 and i.channel_type = $2 and (i.wa_id = $3 or i.user_id = $4 or i.identifier = '+' || $3)
    and c.last_activity_at > $5
    and not exists (select from contact_identities o where o.workspace_id = i.workspace_id and o.channel_type = i.channel_type
      and o.contact_id = i.contact_id and o.user_id = $6)
  limit 1`);

/** The name belongs to somebody else who wrote by it after the change: numbers are handed on. */
async function isOfLater(
  tx: Transaction,
  { workspace_id, type }: WebhookChannel,
  { change }: Kept,
  first: CustomerIds,
): Promise<boolean> {
  const { previous, current, at } = change;
  // Others write by the number since it was handed on.
  const isNamed = previous.user_id !== undefined && previous.user_id === first.user_id;
  const names = [isNamed ? null : (previous.wa_id ?? null), previous.user_id ?? null];
  return (await selectLater(tx, [workspace_id, type, ...names, at, current.user_id ?? null])).length > 0;
}

async function findKept(
  tx: Transaction,
  { workspace_id, id: channel_id }: WebhookChannel,
  people: readonly CustomerIds[],
): Promise<Kept[]> {
  const names = people.flatMap(({ wa_id, user_id }) => [wa_id, user_id]).filter((name) => name !== undefined);
  const kept = await selectKept(tx, [workspace_id, channel_id, [...new Set(names)]]);
  return kept.map(({ id, raw }) => {
    const { at, ...change } = JSON.parse(raw) as KeptChange;
    return { id, change: { ...change, at: new Date(at) } };
  });
}

function laterOf(kept: readonly Kept[], person: CustomerIds, at: Date): Kept[] {
  return kept.filter(({ change }) => isSame(change.previous, person) && change.at >= at);
}

/** Numbers are handed on, so two user ids decide. */
function isSame(one: CustomerIds, other: CustomerIds): boolean {
  if (one.user_id !== undefined && other.user_id !== undefined) return one.user_id === other.user_id;
  return (['wa_id', 'user_id'] as const).some((name) => one[name] !== undefined && one[name] === other[name]);
}

async function take(
  tx: Transaction,
  channel: WebhookChannel,
  kept: readonly Kept[],
): Promise<Placed<IdentityChangeItem>[]> {
  if (kept.length === 0) return [];
  await deleteKept(tx, [channel.workspace_id, kept.map(({ id }) => id)]);
  const { waba_id, phone_number_id } = channel;
  return kept
    .map(({ change }) => {
      const item = { type: 'identity_change' as const, waba_id, phone_number_id, ...change };
      return { channel, item, is_outdated: false };
    })
    .toSorted(byTime);
}

function byTime(a: Placed<IdentityChangeItem>, b: Placed<IdentityChangeItem>): number {
  return a.item.at.getTime() - b.item.at.getTime();
}
