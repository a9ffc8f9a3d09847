import type { ErasedCounts } from '@majlis/console-api';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { listNamedMedia } from '../../media/named-media.ts';
import { identityNames, type NamedIdentity } from './identity-names.ts';

const countMessages = statement<{ messages: number; notes: number }>(`
  select (count(*) filter (where kind <> 'note'))::int as messages, (count(*) filter (where kind = 'note'))::int as notes
  from messages where workspace_id = $1 and conversation_id = any ($2::uuid[])`);

// A file that a message of somebody else names stays. Those that the contact sent go even where a workflow names them.
const selectFiles = statement<{ id: string; is_received: boolean }>(`
  select f.id, bool_or(m.direction = 'inbound') as is_received
  from messages m join media f on f.workspace_id = m.workspace_id and f.id = m.media_id
  where m.workspace_id = $1 and m.conversation_id = any ($2::uuid[])
    and not exists (select from messages o where o.workspace_id = m.workspace_id and o.media_id = m.media_id
      and o.conversation_id <> all ($2::uuid[]))
  group by f.id`);

type CountedByIds = Omit<
  ErasedCounts,
  'messages' | 'notes' | 'files' | 'conversations' | 'broadcast_recipients' | 'import_rows'
>;

const countOthers = statement<CountedByIds>(`
  select
    (select count(*)::int from contact_identities where workspace_id = $1 and contact_id = $2) as identities,
    (select count(*)::int from consent_records where workspace_id = $1 and contact_id = $2) as consent_records,
    (select count(*)::int from drafts where workspace_id = $1 and conversation_id = any ($3::uuid[])) as drafts,
    (select count(*)::int from scheduled_messages where workspace_id = $1 and conversation_id = any ($3::uuid[])) as scheduled_messages,
    (select count(*)::int from proposals where workspace_id = $1 and conversation_id = any ($3::uuid[])) as proposals,
    (select count(*)::int from workflow_runs where workspace_id = $1 and contact_id = $2) as workflow_runs,
    (select count(*)::int from ai_answers where workspace_id = $1 and conversation_id = any ($3::uuid[])) as ai_answers,
    (select count(*)::int from events where workspace_id = $1 and conversation_id = any ($3::uuid[]))
      + (select count(*)::int from events where workspace_id = $1 and contact_id = $2
          and (conversation_id is null or conversation_id <> all ($3::uuid[]))) as events,
    (select count(*)::int from idempotency_keys where workspace_id = $1 and conversation_id = any ($3::uuid[]))
      + (select count(*)::int from idempotency_keys where workspace_id = $1 and contact_id = $2
          and (conversation_id is null or conversation_id <> all ($3::uuid[]))) as stored_answers,
    (select count(*)::int from saved_views where workspace_id = $1 and contact_id = $2) as saved_views`);

const countRecipients = statement<{ count: number }>(`
  select (select count(*)::int from broadcast_recipients where workspace_id = $1 and conversation_id = any ($2::uuid[]))
    + (select count(*)::int from broadcast_recipients where workspace_id = $1 and identifier = any ($3::text[])
        and (conversation_id is null or conversation_id <> all ($2::uuid[]))) as count`);

const countImportRows = statement<{ count: number }>(`
  select count(*)::int as count from contact_import_rows where workspace_id = $1 and names && $2::text[]`);

export interface CountedContact {
  workspace_id: string;
  contact_id: string;
  conversation_ids: readonly string[];
  names: readonly string[];
  /** As rows of imports name the contact. */
  row_names: readonly string[];
}

/** Counts what an erasure deletes. Within one, the rows are locked, so that the counts are those of the deletion. */
export async function countErased(connection: Connection, counted: CountedContact): Promise<ErasedCounts> {
  const { workspace_id, contact_id, conversation_ids, names, row_names } = counted;
  const [messages] = await countMessages(connection, [workspace_id, conversation_ids]);
  const files = await selectFiles(connection, [workspace_id, conversation_ids]);
  const named = files.some(({ is_received }) => !is_received)
    ? await listNamedMedia(connection, workspace_id)
    : undefined;
  const [others] = await countOthers(connection, [workspace_id, contact_id, conversation_ids]);
  const [recipients] = await countRecipients(connection, [workspace_id, conversation_ids, names]);
  const [rows] = await countImportRows(connection, [workspace_id, row_names]);
  return {
    ...messages!,
    ...others!,
    files: files.filter(({ id, is_received }) => is_received || !named?.has(id)).length,
    conversations: conversation_ids.length,
    broadcast_recipients: recipients!.count,
    import_rows: rows!.count,
  };
}

/** Names as rows of imports have them: digits, and addresses in lower case. */
export function rowNamesOf(names: readonly string[], email: string | null): string[] {
  const all = [...names, ...(email === null ? [] : [email])];
  return [...new Set(all.map((name) => name.toLowerCase().replace(/^\+/, '')))];
}

const selectContact = statement<{ email: string | null; conversation_ids: string[]; former_names: string[] }>(`
  select c.email,
    array(select v.id from conversations v where v.workspace_id = c.workspace_id and v.contact_id = c.id) as conversation_ids,
    array(select f.name from contact_former_names f
      where f.workspace_id = c.workspace_id and f.contact_id = c.id) as former_names
  from contacts c where c.workspace_id = $1 and c.id = $2`);
const selectIdentities = statement<NamedIdentity>(`
  select identifier, wa_id, user_id from contact_identities where workspace_id = $1 and contact_id = $2`);

/** The same before an erasure, without locks. Undefined where there is no such contact. */
export async function previewErasure(
  connection: Connection,
  workspace_id: string,
  contact_id: string,
): Promise<ErasedCounts | undefined> {
  const [contact] = await selectContact(connection, [workspace_id, contact_id]);
  if (!contact) return undefined;
  const { email, conversation_ids, former_names } = contact;
  const names = (await selectIdentities(connection, [workspace_id, contact_id])).flatMap(identityNames);
  const row_names = rowNamesOf([...names, ...former_names], email);
  return countErased(connection, { workspace_id, contact_id, conversation_ids, names, row_names });
}
