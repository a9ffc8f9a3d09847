import type { ContactHolder } from '../../contacts/erase/contact-holder.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { removeUploads } from '../../media/remove-media.ts';

const deleteOfConversations = statement<{ media_id: string | null }>(`
  delete from scheduled_messages where workspace_id = $1 and conversation_id = any ($2::uuid[]) returning media_id`);

/** Deletes the scheduled messages of conversations, with their files. */
export async function deleteScheduled(
  tx: Transaction,
  workspace_id: string,
  conversation_ids: readonly string[],
): Promise<void> {
  const deleted = await deleteOfConversations(tx, [workspace_id, conversation_ids]);
  const files = new Set(deleted.flatMap(({ media_id }) => media_id ?? []));
  await removeUploads(tx, workspace_id, [...files]);
}

/** Deletes what was to be sent to an erased contact. A merge moves the conversations, and these with them. */
export const scheduledMessagesHolder: ContactHolder = {
  erase: (tx, { workspace_id, conversation_ids }) => deleteScheduled(tx, workspace_id, conversation_ids),
};
