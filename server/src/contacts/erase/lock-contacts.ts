import { build, run, statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { ContactMerge } from './contact-holder.ts';
import type { NamedIdentity } from './identity-names.ts';
import type { JoinedFields } from './join-contacts.ts';

// An erasure or a merge locks all rows of the contacts before it changes any, in the order of the whole service:
// contacts, identities, conversations, each by id. While these are locked, no transaction can add rows to them.

export interface LockedContact extends JoinedFields {
  id: string;
}

const selectContacts = statement<LockedContact>(`
  select id, name, name_key, email, email_key, language, dialect, vip, blocked, tags, stage_id, consents, custom_fields,
    last_activity_at, created_at, marketing_told_at
  from contacts where workspace_id = $1 and id = any ($2::uuid[])
  order by id for update`);

/** Waits for concurrent erasures and merges; a contact that they erased is not returned. */
export function lockContacts(tx: Transaction, workspace_id: string, ids: string[]): Promise<LockedContact[]> {
  return selectContacts(tx, [workspace_id, ids]);
}

const selectIdentities = statement<NamedIdentity>(`
  select identifier, wa_id, user_id from contact_identities
  where workspace_id = $1 and contact_id = any ($2::uuid[])
  order by workspace_id, channel_type, identifier for update`);

export function lockIdentities(tx: Transaction, workspace_id: string, contact_ids: string[]): Promise<NamedIdentity[]> {
  return selectIdentities(tx, [workspace_id, contact_ids]);
}

const selectFormerNames = statement<{ name: string }>(`
  select name from contact_former_names where workspace_id = $1 and contact_id = $2`);

/** The contact must be locked, so that its number cannot change. */
export async function findFormerNames(tx: Transaction, workspace_id: string, contact_id: string): Promise<string[]> {
  return (await selectFormerNames(tx, [workspace_id, contact_id])).map(({ name }) => name);
}

const updateIdentities = statement(`
  update contact_identities set contact_id = $2 where workspace_id = $1 and contact_id = $3`);
const copyFormerNames = statement(`
  insert into contact_former_names (workspace_id, contact_id, name, left_at)
  select workspace_id, $2, name, left_at from contact_former_names where workspace_id = $1 and contact_id = $3
  on conflict (workspace_id, contact_id, name) do update set left_at = greatest(contact_former_names.left_at, excluded.left_at)`);

/** Moves the identities and copies the former names. The delete of the source cascades to its former names. */
export async function moveIdentities(tx: Transaction, { workspace_id, survivor_id, source_id }: ContactMerge) {
  await updateIdentities(tx, [workspace_id, survivor_id, source_id]);
  await copyFormerNames(tx, [workspace_id, survivor_id, source_id]);
}

export async function updateLockedContact(tx: Transaction, workspace_id: string, id: string, fields: JoinedFields) {
  const { consents, custom_fields, ...columns } = fields;
  const json = { consents: JSON.stringify(consents), custom_fields: JSON.stringify(custom_fields) };
  const query = build.updateTable('contacts').set({ ...columns, ...json });
  await run(tx, query.where('workspace_id', '=', workspace_id).where('id', '=', id));
}

const deleteRow = statement(`delete from contacts where workspace_id = $1 and id = $2`);

// A tag that no other contact has could identify the erased one. Its counts are summed up, and a sum of 0 is not stored.
const sumTags = statement(`
  with gone as (
    delete from tag_changes where workspace_id = $1 and ctid = any (array(
      select t.ctid from unnest($2::text[]) as n (name) join tag_changes t
        on t.workspace_id = $1 and hashtextextended(t.name, 0) = hashtextextended(n.name, 0)
      for update of t skip locked))
    returning name, change
  )
  insert into tag_changes (workspace_id, name, change)
  select $1, name, sum(change) from gone group by name having sum(change) <> 0`);

/** Deletes the contact; its identities go in cascade. */
export async function deleteContact(tx: Transaction, workspace_id: string, { id, tags }: LockedContact): Promise<void> {
  await deleteRow(tx, [workspace_id, id]);
  await sumTags(tx, [workspace_id, tags]);
}
