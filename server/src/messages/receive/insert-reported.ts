import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { removeReceived } from '../../media/remove-media.ts';
import { insertMessages, type NewMessage } from '../queries.ts';

interface Imported {
  workspace_id: string;
  id: string;
  conversation_id: string;
  key: string;
  media_id: string | null;
  body: string | null;
  edited_at: Date | null;
  deleted_at: Date | null;
  edit: string | null;
}

const deleteImported = statement<Imported>(`
  delete from messages m
  using json_to_recordset($1) as n (workspace_id uuid, channel_id uuid, platform_message_id text)
  where m.workspace_id = n.workspace_id and m.channel_id = n.channel_id and m.platform_message_id = n.platform_message_id
    and m.content -> 'imported' is not null
  returning m.workspace_id, m.id, m.conversation_id, m.channel_id || ' ' || m.platform_message_id as key, m.media_id, m.body,
    m.edited_at, m.deleted_at, m.content ->> 'edit' as edit`);

// By its conversation: a reply has no index of its own.
const followQuotes = statement(`
  update messages set reply_to_id = $4 where workspace_id = $1 and conversation_id = $2 and reply_to_id = $3`);

const revise = statement(`
  update messages set body = $3, edited_at = $4, deleted_at = $5,
    filename = case when $5::timestamptz is null then filename end, mime = case when $5::timestamptz is null then mime end,
    content = case when $6::jsonb is null then content else (content::jsonb || jsonb_build_object('edit', $6::jsonb))::json end
  where workspace_id = $1 and id = $2`);

/**
 * Stores messages that the platform reports as they are written, and returns the ids of the new ones. A message that the history of the
 * phone app had brought before counts as new: the history overlaps with the first reports, and opens no window. It stays edited or deleted,
 * and what quotes it does so.
 */
export async function insertReported(tx: Transaction, rows: readonly NewMessage[]): Promise<Set<string>> {
  const stored = await insertMessages(tx, rows);
  if (stored.size === rows.length) return stored;
  const known = rows.filter(({ id }) => !stored.has(id));
  const ids = known.map(({ workspace_id, channel_id, platform_message_id }) => {
    return { workspace_id, channel_id, platform_message_id };
  });
  const deleted = await deleteImported(tx, [JSON.stringify(ids)]);
  if (deleted.length === 0) return stored;
  const keys = new Set(deleted.map(({ key }) => key));
  const again = known.filter((row) => keys.has(keyOf(row)));
  for (const id of await insertMessages(tx, again)) stored.add(id);
  for (const { workspace_id, media_id } of deleted) {
    if (media_id !== null) await removeReceived(tx, workspace_id, [media_id]);
  }
  const ids_by_key = new Map(again.map((row) => [keyOf(row), row.id]));
  for (const imported of deleted) await succeed(tx, imported, ids_by_key.get(imported.key)!);
  return stored;
}

/** The message `id` stands for the imported one from now on. */
async function succeed(tx: Transaction, imported: Imported, id: string): Promise<void> {
  const { workspace_id, conversation_id, body, edited_at, deleted_at, edit } = imported;
  await followQuotes(tx, [workspace_id, conversation_id, imported.id, id]);
  if (edited_at === null && deleted_at === null) return;
  await revise(tx, [workspace_id, id, body, edited_at, deleted_at, edit]);
}

function keyOf({ channel_id, platform_message_id }: NewMessage): string {
  return `${channel_id} ${platform_message_id}`;
}
