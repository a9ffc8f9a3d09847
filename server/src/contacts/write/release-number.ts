import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { identityNames, type NamedIdentity } from '../erase/identity-names.ts';
import type { HandedOnNumber } from './hand-on-numbers.ts';
import { identityKeyOf } from './identity-key.ts';
import { findKnown, type IdentityChange, insertFormer, isRepeated, type MovedIdentity } from './move-identity.ts';
import { lockContact } from './save-contacts.ts';

interface Holder extends NamedIdentity {
  contact_id: string;
}

// Accounts of different portfolios name one person by different user ids, so only the same account tells two people apart. Who was
// named by the number after the change got it after that.
const selectHolder = statement<Holder>(`
  select i.contact_id, i.identifier, i.wa_id, i.user_id from contact_identities i
  where i.workspace_id = $1 and i.channel_type = $2 and (i.wa_id = $3 or i.identifier = '+' || $3)
    and i.contact_id <> $4 and i.waba_id = $5 and i.user_id not in ($6, $7) and coalesce(i.number_at, i.created_at) <= $8
  limit 1`);

const lockBoth = statement(`
  select id from contacts where workspace_id = $1 and id = any ($2::uuid[]) order by id for no key update`);

const update = statement<NamedIdentity>(`
  update contact_identities i set identifier = i.user_id, identifier_key = $5, wa_id = null, number_at = null
  where i.workspace_id = $1 and i.channel_type = $2 and i.identifier = $3 and i.user_id = $4
  returning i.identifier, i.wa_id, i.user_id`);

/**
 * Takes the new number from a contact who is somebody else by the user id: the number was handed on. Otherwise the words of the one
 * person would stand in the conversation of the other. The contact stays reachable by the user id. Undefined where nobody has the
 * number, or it may be the same person.
 */
export async function releaseNumber(tx: Transaction, change: IdentityChange): Promise<MovedIdentity | undefined> {
  const { workspace_id, channel_type, previous, current, at } = change;
  const { wa_id, user_id, waba_id } = current;
  if (wa_id === undefined || user_id === undefined || waba_id === undefined) return undefined;
  const known = await findKnown(tx, change);
  if (!known || (await isRepeated(tx, change))) return undefined;
  const others = [known.contact_id, waba_id, user_id, previous.user_id ?? user_id, at];
  const find = async () => (await selectHolder(tx, [workspace_id, channel_type, wa_id, ...others]))[0];
  const found = await find();
  if (!found) return undefined;
  const { contact_id } = found;
  await lockBoth(tx, [workspace_id, [known.contact_id, contact_id]]);
  const before = await find();
  if (before?.contact_id !== contact_id) return undefined;
  return release(tx, { workspace_id, channel_type, at }, before);
}

const selectHeld = statement<Holder>(`
  select contact_id, identifier, wa_id, user_id from contact_identities
  where workspace_id = $1 and channel_type = $2 and contact_id = $3 and identifier = $4 and user_id = $5`);

/** Takes the number from a contact where a message names somebody else by it. Undefined where the contact is gone or has left it. */
export async function releaseHandedOn(tx: Transaction, number: HandedOnNumber): Promise<MovedIdentity | undefined> {
  const { workspace_id, channel_type, contact_id, identifier, user_id } = number;
  if (!(await lockContact(tx, workspace_id, contact_id))) return undefined;
  const [before] = await selectHeld(tx, [workspace_id, channel_type, contact_id, identifier, user_id]);
  return before && (before.wa_id !== null || before.identifier !== user_id) ? release(tx, number, before) : undefined;
}

/** The contact, which is locked, keeps the user id alone. */
async function release(
  tx: Transaction,
  { workspace_id, channel_type, at }: Pick<HandedOnNumber, 'workspace_id' | 'channel_type' | 'at'>,
  before: Holder,
): Promise<MovedIdentity | undefined> {
  const { contact_id, user_id } = before;
  if (user_id === null) return undefined;
  const key = identityKeyOf(user_id);
  const [after] = await update(tx, [workspace_id, channel_type, before.identifier, user_id, key]);
  if (!after) return undefined;
  const names = new Set(identityNames(after));
  const former_names = [...new Set(identityNames(before))].filter((name) => !names.has(name));
  await insertFormer(tx, [workspace_id, contact_id, former_names, at]);
  const { identifier } = after;
  const moved = { workspace_id, contact_id, channel_type, identifier, address: identifier };
  return { ...moved, former_identifier: before.identifier, former_names };
}
