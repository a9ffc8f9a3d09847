import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { searchKey } from '../../database/search-key.ts';
import type { ContactFields } from '../rules.ts';
import { identityKeyOf } from './identity-key.ts';

export interface SavedContact extends ContactFields {
  id: string;
}

export interface NewIdentity {
  contact_id: string;
  channel_type: string;
  identifier: string;
  display_name: string | undefined;
  user_id: string | undefined;
}

const columns = `name, name_key, email, email_key, language, vip, blocked, tags, stage_id, consents, custom_fields`;
// A withdrawal here is newer than every choice that the platform reported before. An opt-in here is newer than the last reported
// choice alone: a withdrawal that is still to be reported counts.
const withdrawn = `consents ->> 'chatapp_marketing' = 'false'`;
const rows = `id uuid, name text, name_key text, email text, email_key text, language text, vip boolean, blocked boolean, tags text[],
  stage_id uuid, consents json, custom_fields json`;

// Identities are inserted in one order, so that two batches cannot deadlock. The foreign key is checked at the end of the
// statement.
const insert = statement<{ contact_id: string }>(`
  with fresh as (
    insert into contacts (workspace_id, id, ${columns}, created_at, marketing_told_at)
    select $1, id, ${columns}, $4, case when ${withdrawn} then $4::timestamptz end from json_to_recordset($2) as n (${rows})
  )
  insert into contact_identities
    (workspace_id, channel_type, identifier, identifier_key, contact_id, display_name, user_id, created_at)
  select $1, channel_type, identifier, identifier_key, contact_id, display_name, user_id, $4
  from json_to_recordset($3) as i
    (contact_id uuid, channel_type text, identifier text, identifier_key text, display_name text, user_id text)
  order by channel_type, identifier
  on conflict do nothing
  returning contact_id`);

/** Inserts contacts, and identities of these or of locked contacts. False where another contact has an identity by now. */
export async function insertContacts(
  connection: Connection,
  workspace_id: string,
  contacts: readonly SavedContact[],
  identities: readonly NewIdentity[],
  now: Date,
): Promise<boolean> {
  if (identities.length === 0) return true;
  const inserted = await insert(connection, [
    workspace_id,
    JSON.stringify(await mapInSlices(contacts, toRow)),
    JSON.stringify(await mapInSlices(identities, (one) => ({ ...one, identifier_key: identityKeyOf(one.identifier) }))),
    now,
  ]);
  return inserted.length === identities.length;
}

const update = statement(`
  update contacts c set ${columns
    .split(', ')
    .map((column) => `${column} = n.${column}`)
    .join(', ')},
    marketing_told_at = case when n.${withdrawn} and not coalesce(c.${withdrawn}, false) then $3::timestamptz
      when c.${withdrawn} and not n.${withdrawn} then c.marketing_told_at + interval '1 ms'
      else c.marketing_told_at end
  from json_to_recordset($2) as n (${rows})
  where c.workspace_id = $1 and c.id = n.id`);

/** The caller has locked the contacts. */
export async function updateContacts(
  connection: Connection,
  workspace_id: string,
  contacts: readonly SavedContact[],
  now: Date,
): Promise<void> {
  if (contacts.length > 0)
    await update(connection, [workspace_id, JSON.stringify(await mapInSlices(contacts, toRow)), now]);
}

function toRow(contact: SavedContact) {
  return { ...contact, name_key: searchKey(contact.name), email_key: searchKey(contact.email) };
}

const updateDisplayNames = statement(`
  with named as (
    select * from json_to_recordset($2) as n (channel_type text, identifier text, display_name text)
  ), locked as materialized (
    select i.channel_type, i.identifier, named.display_name from contact_identities i
    join named using (channel_type, identifier)
    where i.workspace_id = $1 and i.display_name is distinct from named.display_name
    order by i.channel_type, i.identifier for no key update of i
  )
  update contact_identities i set display_name = locked.display_name from locked
  where i.workspace_id = $1 and i.channel_type = locked.channel_type and i.identifier = locked.identifier`);

/** Sets the display names of identities. */
export async function renameIdentities(
  connection: Connection,
  workspace_id: string,
  named: readonly { channel_type: string; identifier: string; display_name: string }[],
): Promise<void> {
  if (named.length > 0) await updateDisplayNames(connection, [workspace_id, JSON.stringify(named)]);
}

const selectForUpdate = statement<{ id: string }>(`
  select id from contacts where workspace_id = $1 and id = $2 for no key update`);

/** Locks the contact until the end of the transaction. False where there is none. */
export async function lockContact(connection: Connection, workspace_id: string, id: string): Promise<boolean> {
  return (await selectForUpdate(connection, [workspace_id, id])).length > 0;
}
