import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { removeReceived } from '../../media/remove-media.ts';
import { insertMessages, type NewMessage } from '../queries.ts';

const deleteImported = statement<{ workspace_id: string; key: string; media_id: string | null }>(`
  delete from messages m
  using json_to_recordset($1) as n (workspace_id uuid, channel_id uuid, platform_message_id text)
  where m.workspace_id = n.workspace_id and m.channel_id = n.channel_id and m.platform_message_id = n.platform_message_id
    and m.content -> 'imported' is not null
  returning m.workspace_id, m.channel_id || ' ' || m.platform_message_id as key, m.media_id`);

/**
 * Stores messages that the platform reports as they are written, and returns the ids of the new ones. A message that the history of the
 * phone app had brought before counts as new: the history overlaps with the first reports, and opens no window.
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
  const again = known.filter(({ channel_id, platform_message_id }) => keys.has(`${channel_id} ${platform_message_id}`));
  for (const id of await insertMessages(tx, again)) stored.add(id);
  for (const { workspace_id, media_id } of deleted) {
    if (media_id !== null) await removeReceived(tx, workspace_id, [media_id]);
  }
  return stored;
}
