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

/** An imported message, and the id of the new one that stands for it. */
interface Succession extends Imported {
  new_id: string;
}

const successions =
  'json_to_recordset($1) as s (workspace_id uuid, conversation_id uuid, id uuid, new_id uuid, body text, edited_at timestamptz, deleted_at timestamptz, edit jsonb)';

// A reply has no index of its own, so each conversation is read once, from the oldest message on: what quotes it comes after it.
const followQuotes = statement(`
  with succeeded as (
    select workspace_id, conversation_id, min(id::text)::uuid as oldest, jsonb_object_agg(id, new_id) as new_ids
    from ${successions} group by 1, 2
  )
  update messages m set reply_to_id = (c.new_ids ->> m.reply_to_id::text)::uuid from succeeded c
  where m.workspace_id = c.workspace_id and m.conversation_id = c.conversation_id and m.id >= c.oldest
    and c.new_ids ? m.reply_to_id::text`);

const revise = statement(`
  update messages m set body = s.body, edited_at = s.edited_at, deleted_at = s.deleted_at,
    filename = case when s.deleted_at is null then filename end, mime = case when s.deleted_at is null then mime end,
    content = case when s.edit is null then content else (content::jsonb || jsonb_build_object('edit', s.edit))::json end
  from ${successions} where m.workspace_id = s.workspace_id and m.id = s.new_id`);

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
  await succeed(
    tx,
    deleted.map((imported) => ({ ...imported, new_id: ids_by_key.get(imported.key)! })),
  );
  return stored;
}

/** The new messages stand for the imported ones from now on. */
async function succeed(tx: Transaction, all: readonly Succession[]): Promise<void> {
  await followQuotes(tx, [JSON.stringify(all)]);
  const revised = all.filter(({ edited_at, deleted_at }) => edited_at !== null || deleted_at !== null);
  if (revised.length > 0) await revise(tx, [JSON.stringify(revised)]);
}

function keyOf({ channel_id, platform_message_id }: NewMessage): string {
  return `${channel_id} ${platform_message_id}`;
}
