import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { Outdated, type Transaction } from '../../database/transaction.ts';
import { identityNames, type NamedIdentity } from '../erase/identity-names.ts';
import { identityKeyOf } from './identity-key.ts';
import { lockContact } from './save-contacts.ts';
import { TwoContacts } from './two-contacts.ts';

/** A change of a customer's number or user id, as the platform reports it. */
export interface IdentityChange {
  workspace_id: string;
  channel_type: string;
  /** The platform's time of the change. */
  at: Date;
  previous: { wa_id?: string | undefined; user_id?: string | undefined };
  current: {
    identifier: string;
    wa_id?: string | undefined;
    user_id?: string | undefined;
    waba_id?: string | undefined;
  };
}

/** An identity after its change. Its contact is locked. */
export interface MovedIdentity {
  workspace_id: string;
  contact_id: string;
  channel_type: string;
  former_identifier: string;
  /** Its names before the change that it no longer has. */
  former_names: string[];
  identifier: string;
  /** The recipient of messages to it. */
  address: string;
}

interface KnownIdentity extends NamedIdentity {
  contact_id: string;
}

// A number is of somebody else where it has another user id of the same portfolio, or was first named after the change.
const selectKnown = statement<KnownIdentity>(`
  select i.contact_id, i.identifier, i.wa_id, i.user_id from contact_identities i
  where i.workspace_id = $1 and i.channel_type = $2
    and (i.user_id = $4 or ((i.wa_id = $3 or i.identifier = '+' || $3) and (i.number_at > $6) is not true
      and ($4::text is null or i.user_id is null or i.waba_id <> $5)))
  order by i.wa_id = $3 desc nulls last, i.user_id = $4 desc nulls last
  limit 1`);

// A number of another identity stays there, because numbers are handed on. With a new number the platform gives a new
// user id, which replaces the old one. A customer without a known number gets the new user id as identifier.
const update = statement<NamedIdentity>(`
  update contact_identities i set
    identifier = case when $4::text is not null or i.identifier = i.user_id then $6 else i.identifier end,
    identifier_key = $7,
    wa_id = coalesce($4, i.wa_id),
    number_at = case when $4 is not null then $9 else i.number_at end,
    user_id = case when $4 is not null then $5 else coalesce($5, i.user_id) end,
    waba_id = case when $5 = i.user_id or coalesce($4, $5) is null then i.waba_id when $5 is not null then $8 end
  where i.workspace_id = $1 and i.channel_type = $2 and i.identifier = $3
    and not exists (select from contact_identities o where o.workspace_id = $1 and o.channel_type = $2
      and (o.wa_id = $4 or o.user_id = $5 or o.identifier = $6) and o.identifier <> i.identifier)
  returning i.identifier, i.wa_id, i.user_id`);

const updateToUserId = statement<NamedIdentity>(`
  update contact_identities i set identifier = $4, identifier_key = $5, wa_id = null, number_at = null, user_id = $4, waba_id = $6
  where i.workspace_id = $1 and i.channel_type = $2 and i.identifier = $3
    and not exists (select from contact_identities o where o.workspace_id = $1 and o.channel_type = $2
      and (o.user_id = $4 or o.identifier = $4) and o.identifier <> i.identifier)
    and not exists (select from contact_identities o where o.workspace_id = $1 and o.channel_type = $2
      and o.contact_id = i.contact_id and o.wa_id = $7)
  returning i.identifier, i.wa_id, i.user_id`);

/** Another contact has the new number, and wrote since the change: the person has moved on, and stays known by the new user id. */
async function keepUserId(
  tx: Transaction,
  { workspace_id, channel_type, current }: IdentityChange,
  { identifier }: KnownIdentity,
) {
  const { wa_id, user_id, waba_id = null } = current;
  if (wa_id === undefined || user_id === undefined) return undefined;
  const values = [identifier, user_id, identityKeyOf(user_id), waba_id, wa_id];
  return (await updateToUserId(tx, [workspace_id, channel_type, ...values]))[0];
}

export const insertFormer = statement(`
  insert into contact_former_names (workspace_id, contact_id, name, left_at) select $1, $2, unnest($3::text[]), $4
  on conflict (workspace_id, contact_id, name) do update set left_at = greatest(contact_former_names.left_at, excluded.left_at)`);

const selectLeft = statement(`
  select from contact_former_names where workspace_id = $1 and name in ($2, $3) and left_at >= $4 limit 1`);

/**
 * Records a customer's new number or user id. Undefined where the old one is unknown, nothing changed, or the report is
 * repeated: the customer, or another one, may have the number by now.
 */
export async function moveIdentity(tx: Transaction, change: IdentityChange): Promise<MovedIdentity | undefined> {
  const { workspace_id, channel_type, current } = change;
  const known = await findKnown(tx, change);
  if (!known || (await isRepeated(tx, change))) return undefined;
  const { contact_id } = known;
  const isLocked = await lockContact(tx, workspace_id, contact_id);
  const before = await findKnown(tx, change);
  if (!isLocked || before?.contact_id !== contact_id)
    throw new Outdated('a contact was erased, merged or has moved on');
  const { identifier: next, wa_id: next_wa_id = null, user_id = null } = current;
  const shown = next_wa_id !== null || before.identifier === before.user_id ? next : before.identifier;
  const known_ids =
    next_wa_id === null ? { ...before, user_id: user_id ?? before.user_id } : { wa_id: next_wa_id, user_id };
  const values = [before.identifier, next_wa_id, user_id, next, identityKeyOf(shown, known_ids)];
  await requireOwnName(tx, change, contact_id);
  const [moved] = await update(tx, [workspace_id, channel_type, ...values, current.waba_id ?? null, change.at]);
  const after = moved ?? (await keepUserId(tx, change, before));
  const names = new Set(after && identityNames(after));
  // A user id beside that of another portfolio is an identity of its own.
  const isOwn = before.user_id === null && change.previous.user_id !== undefined;
  const left = [...identityNames(before), ...(isOwn ? [change.previous.user_id!] : [])];
  const former_names = [...new Set(left)].filter((name) => !names.has(name));
  if (!after) return leaveFormer(tx, change, before);
  if (former_names.length === 0 && after.identifier === before.identifier) return undefined;
  await insertFormer(tx, [workspace_id, contact_id, former_names, change.at]);
  const { identifier, wa_id } = after;
  const address = wa_id ? `+${wa_id}` : identifier;
  return {
    ...{ workspace_id, contact_id, channel_type, identifier, address },
    ...{ former_identifier: before.identifier, former_names },
  };
}

const selectOwn = statement<NamedIdentity>(`
  select identifier, wa_id, user_id from contact_identities
  where workspace_id = $1 and channel_type = $2 and contact_id = $3 and identifier <> $4 and (wa_id = $5 or user_id = $6) limit 1`);
const remove = statement(`
  delete from contact_identities where workspace_id = $1 and channel_type = $2 and identifier = $3`);

const selectIdentity = statement<KnownIdentity>(`
  select contact_id, identifier, wa_id, user_id from contact_identities
  where workspace_id = $1 and channel_type = $2 and contact_id = $3 and identifier = $4`);
const selectPresent = statement<NamedIdentity>(`
  select identifier, wa_id, user_id from contact_identities
  where workspace_id = $1 and channel_type = $2 and contact_id = $3 and identifier <> $4
  order by user_id = $5 desc nulls last, waba_id = $6 desc nulls last, number_at desc nulls last, created_at desc limit 1`);

/** The locked contact has moved on from this identity, and another of its identities is the present one. Undefined where it has no other. */
export async function leaveIdentity(
  tx: Transaction,
  { workspace_id, channel_type, current, at }: IdentityChange,
  { contact_id, identifier }: Pick<KnownIdentity, 'contact_id' | 'identifier'>,
): Promise<MovedIdentity | undefined> {
  const [before] = await selectIdentity(tx, [workspace_id, channel_type, contact_id, identifier]);
  const of = [workspace_id, channel_type, contact_id, identifier, current.user_id ?? null, current.waba_id ?? null];
  const [own] = await selectPresent(tx, of);
  return before && own && leaveFor(tx, { workspace_id, channel_type, at }, before, own);
}

/** The contact has the new names as another identity already: the former one goes, as its number may be a stranger's by now. */
async function leaveFormer(
  tx: Transaction,
  { workspace_id, channel_type, current, at }: IdentityChange,
  before: KnownIdentity,
): Promise<MovedIdentity | undefined> {
  const { contact_id, identifier } = before;
  const { wa_id = null, user_id = null } = current;
  const [own] = await selectOwn(tx, [workspace_id, channel_type, contact_id, identifier, wa_id, user_id]);
  return own && leaveFor(tx, { workspace_id, channel_type, at }, before, own);
}

async function leaveFor(
  tx: Transaction,
  { workspace_id, channel_type, at }: Pick<IdentityChange, 'workspace_id' | 'channel_type' | 'at'>,
  before: KnownIdentity,
  own: NamedIdentity,
): Promise<MovedIdentity> {
  const { contact_id, identifier: former_identifier } = before;
  const names = new Set(identityNames(own));
  const former_names = [...new Set(identityNames(before))].filter((name) => !names.has(name));
  await remove(tx, [workspace_id, channel_type, former_identifier]);
  await insertFormer(tx, [workspace_id, contact_id, former_names, at]);
  const address = own.wa_id ? `+${own.wa_id}` : own.identifier;
  return {
    workspace_id,
    contact_id,
    channel_type,
    identifier: own.identifier,
    address,
    former_identifier,
    former_names,
  };
}

const selectAnnounced = statement<{ contact_id: string }>(`
  select contact_id from contact_identities where workspace_id = $1 and channel_type = $2 and user_id = $3 and contact_id <> $4`);

/**
 * Throws where another contact has the announced user id: a message by it came before this report, so it is the same person. A number
 * alone proves nothing, because numbers are handed on.
 */
async function requireOwnName(tx: Transaction, change: IdentityChange, contact_id: string): Promise<void> {
  const { workspace_id, channel_type, current } = change;
  if (current.user_id === undefined) return;
  const [other] = await selectAnnounced(tx, [workspace_id, channel_type, current.user_id, contact_id]);
  if (other) throw new TwoContacts({ workspace_id, survivor_id: contact_id, source_id: other.contact_id });
}

/**
 * The report came before: a name that it calls former left the contact then, or later. A number may have left another contact since, so
 * a user id beside it decides.
 */
export async function isRepeated(
  connection: Connection,
  { workspace_id, previous, at }: IdentityChange,
): Promise<boolean> {
  const { user_id = null } = previous;
  const wa_id = user_id === null ? (previous.wa_id ?? null) : null;
  return (await selectLeft(connection, [workspace_id, wa_id, user_id, at])).length > 0;
}

/** Whether no identity has or had a name that the report calls former. */
export async function isOfNobody(connection: Connection, change: IdentityChange): Promise<boolean> {
  const known = (await findKnown(connection, change)) ?? (await findFormer(connection, change));
  return !known && !(await isRepeated(connection, change));
}

export async function findKnown(
  connection: Connection,
  { workspace_id, channel_type, previous, current, at }: IdentityChange,
): Promise<KnownIdentity | undefined> {
  const { wa_id = null, user_id = null } = previous;
  return (await selectKnown(connection, [workspace_id, channel_type, wa_id, user_id, current.waba_id ?? null, at]))[0];
}

// Of several identities, that of the portfolio which tells the change, as far as it is known.
const selectFormer = statement<KnownIdentity>(`
  select i.contact_id, i.identifier, i.wa_id, i.user_id from contact_former_names f
  join contact_identities i on i.workspace_id = f.workspace_id and i.contact_id = f.contact_id and i.channel_type = $2
  where f.workspace_id = $1 and f.name = $3
    and not exists (select from contact_identities o where o.workspace_id = $1 and o.channel_type = $2 and o.user_id = $3)
  order by i.waba_id = $4 desc nulls last, i.user_id is null, i.created_at, i.identifier limit 1`);

/** The identity of a person whom a report names by a user id that they left before. A user id is never handed on, as a number is. */
export async function findFormer(
  connection: Connection,
  { workspace_id, channel_type, previous, current }: IdentityChange,
): Promise<KnownIdentity | undefined> {
  const { wa_id, user_id } = previous;
  if (wa_id !== undefined || user_id === undefined) return undefined;
  return (await selectFormer(connection, [workspace_id, channel_type, user_id, current.waba_id ?? null]))[0];
}
