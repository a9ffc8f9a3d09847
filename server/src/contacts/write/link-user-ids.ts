import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import {
  findKnown,
  type IdentityChange,
  insertFormer,
  leaveIdentity,
  type MovedIdentity,
  moveIdentity,
} from './move-identity.ts';
import { releaseNumber } from './release-number.ts';
import { lockContact } from './save-contacts.ts';
import { TwoContacts } from './two-contacts.ts';

/** The contact that a user id names, now or before. */
interface NamedContact {
  contact_id: string;
  /** Null where the user id is a former one. */
  identifier: string | null;
  has_number: boolean;
}

const selectNamed = statement<NamedContact>(`
  select contact_id, identifier, has_number from (
    select 0 as rank, i.contact_id, i.identifier, i.wa_id is not null as has_number from contact_identities i
    where i.workspace_id = $1 and i.channel_type = $2 and i.user_id = $3
    union all
    select 1, f.contact_id, null, false from contact_former_names f
    where f.workspace_id = $1 and f.name = $3 and exists (select from contact_identities o
      where o.workspace_id = f.workspace_id and o.contact_id = f.contact_id and o.channel_type = $2)
  ) as named order by rank limit 1`);

/** Whether the person is known by the user id that the report announces. */
export async function isAnnouncedKnown(tx: Transaction, change: IdentityChange): Promise<boolean> {
  return change.previous.user_id !== undefined && (await findNamed(tx, change, change.current.user_id)) !== undefined;
}

/**
 * Follows a report whose new user id somebody has or had: notifications came in another order. A user id is never handed on, so both
 * user ids name one person, whenever they come. Undefined where the new user id is unknown, or the usual change does all.
 */
export async function linkUserIds(tx: Transaction, change: IdentityChange): Promise<MovedIdentity[] | undefined> {
  const { workspace_id, previous, current, at } = change;
  if (previous.user_id === undefined) return undefined;
  const after = await findNamed(tx, change, current.user_id);
  if (!after) return undefined;
  const before = (await findNamed(tx, change, previous.user_id)) ?? (await findKnown(tx, change));
  if (before && before.contact_id !== after.contact_id)
    throw new TwoContacts({ workspace_id, survivor_id: before.contact_id, source_id: after.contact_id });
  const { contact_id } = after;
  await lockContact(tx, workspace_id, contact_id);
  const moved: MovedIdentity[] = [];
  if (after.identifier !== null) {
    const toNumber = { ...change, previous: { user_id: current.user_id } };
    const released = await releaseNumber(tx, toNumber);
    if (released) moved.push(released);
    const shown = after.has_number || current.wa_id === undefined ? undefined : await moveIdentity(tx, toNumber);
    if (shown) moved.push(shown);
  }
  if (before?.identifier && before.identifier !== after.identifier) {
    const left = await leaveIdentity(tx, change, { contact_id, identifier: before.identifier });
    if (left) moved.push(left);
  }
  const number = current.wa_id === undefined ? [] : [previous.wa_id];
  const names = [previous.user_id, ...number].filter((name) => name !== undefined);
  await insertFormer(tx, [workspace_id, contact_id, names, at]);
  return moved;
}

async function findNamed(
  tx: Transaction,
  { workspace_id, channel_type }: IdentityChange,
  user_id: string | undefined,
): Promise<NamedContact | undefined> {
  return user_id === undefined ? undefined : (await selectNamed(tx, [workspace_id, channel_type, user_id]))[0];
}
