import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { IdentityChangeItem } from '../platform/customer-items.ts';
import type { IgnoredItem } from '../platform/items.ts';
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

const selectKept = statement<{ id: string; raw: string }>(`
  select id, raw from platform_notices
  where workspace_id = $1 and channel_id = $2 and reason = '${reason}'
    and exists (select from unnest($3::text[]) as name where strpos(raw, name) > 0)`);

const deleteKept = statement(`delete from platform_notices where workspace_id = $1 and id = any ($2::uuid[])`);

/** Takes the kept changes that continue this one, the earliest first. Numbers are handed on, so an older change is of another person. */
export async function takeContinuing(
  tx: Transaction,
  { channel, item, is_outdated }: Placed<IdentityChangeItem>,
): Promise<Placed<IdentityChangeItem>[]> {
  const { wa_id, user_id } = item.current;
  const names = [wa_id, user_id].filter((name) => name !== undefined);
  const kept = (await selectKept(tx, [channel.workspace_id, channel.id, names])).map(({ id, raw }) => {
    const { at, ...change } = JSON.parse(raw) as KeptChange;
    return { id, change: { ...change, at: new Date(at) } };
  });
  const continuing = kept.filter(({ change: { previous, at } }) => {
    const isSame =
      (wa_id !== undefined && previous.wa_id === wa_id) || (user_id !== undefined && previous.user_id === user_id);
    return isSame && at >= item.at;
  });
  if (continuing.length === 0) return [];
  await deleteKept(tx, [channel.workspace_id, continuing.map(({ id }) => id)]);
  const { waba_id, phone_number_id } = item;
  return continuing
    .map(({ change }) => ({
      channel,
      item: { type: 'identity_change' as const, waba_id, phone_number_id, ...change },
      is_outdated,
    }))
    .toSorted((a, b) => a.item.at.getTime() - b.item.at.getTime());
}
