import { build, run, statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { ContactMerge } from './contact-holder.ts';
import type { JoinedFields } from './join-contacts.ts';
import type { NamedIdentity } from './names-of.ts';

// An erasure or a merge takes hold of all that belongs to contacts before it changes anything, in the order in which the
// whole service locks rows: contacts, identities, conversations, each by id. The rest follows from holding these: nobody
// can add to them.

export interface HeldContact extends JoinedFields {
  id: string;
}

const selectContacts = statement<HeldContact>(`
  select id, name, name_key, email, email_key, language, dialect, vip, blocked, tags, stage_id, consents, custom_fields,
    last_activity_at, created_at, marketing_told_at
  from contacts where workspace_id = $1 and id = any ($2::uuid[])
  order by id for update`);

/** Those that are there; one that somebody else erases or merges at the same moment is waited for, and is not. */
export function holdContacts(tx: Transaction, workspace_id: string, ids: string[]): Promise<HeldContact[]> {
  return selectContacts(tx, [workspace_id, ids]);
}

const selectIdentities = statement<NamedIdentity>(`
  select identifier, wa_id, user_id from contact_identities
  where workspace_id = $1 and contact_id = any ($2::uuid[])
  order by workspace_id, channel_type, identifier for update`);

export function holdIdentities(tx: Transaction, workspace_id: string, contact_ids: string[]): Promise<NamedIdentity[]> {
  return selectIdentities(tx, [workspace_id, contact_ids]);
}

const selectFormerNames = statement<{ name: string }>(`
  select name from contact_former_names where workspace_id = $1 and contact_id = $2`);

/** Of a contact that is held: nobody gives it a new number meanwhile. */
export async function findFormerNames(tx: Transaction, workspace_id: string, contact_id: string): Promise<string[]> {
  return (await selectFormerNames(tx, [workspace_id, contact_id])).map(({ name }) => name);
}

const updateIdentities = statement(`
  update contact_identities set contact_id = $2 where workspace_id = $1 and contact_id = $3`);
const copyFormerNames = statement(`
  insert into contact_former_names (workspace_id, contact_id, name)
  select workspace_id, $2, name from contact_former_names where workspace_id = $1 and contact_id = $3
  on conflict do nothing`);

/** With the names that they had before; those of the source go with its row. */
export async function moveIdentities(tx: Transaction, { workspace_id, survivor_id, source_id }: ContactMerge) {
  await updateIdentities(tx, [workspace_id, survivor_id, source_id]);
  await copyFormerNames(tx, [workspace_id, survivor_id, source_id]);
}

export async function updateHeld(tx: Transaction, workspace_id: string, id: string, fields: JoinedFields) {
  const { consents, custom_fields, ...columns } = fields;
  const json = { consents: JSON.stringify(consents), custom_fields: JSON.stringify(custom_fields) };
  const query = build.updateTable('contacts').set({ ...columns, ...json });
  await run(tx, query.where('workspace_id', '=', workspace_id).where('id', '=', id));
}

const deleteRow = statement(`delete from contacts where workspace_id = $1 and id = $2`);

// A tag that nobody else carries can name who carried it: what is counted of it is summed up, and is nothing.
const sumTags = statement(`
  with gone as (
    delete from tag_changes where ctid = any (array(
      select t.ctid from unnest($2::text[]) as n (name) join tag_changes t
        on t.workspace_id = $1 and hashtextextended(t.name, 0) = hashtextextended(n.name, 0)
      for update of t skip locked))
    returning name, change
  )
  insert into tag_changes (workspace_id, name, change)
  select $1, name, sum(change) from gone group by name having sum(change) <> 0`);

/** With its identities. */
export async function deleteContact(tx: Transaction, workspace_id: string, { id, tags }: HeldContact): Promise<void> {
  await deleteRow(tx, [workspace_id, id]);
  await sumTags(tx, [workspace_id, tags]);
}
