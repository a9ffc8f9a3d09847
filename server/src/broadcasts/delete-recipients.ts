import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

const countRecipients = statement(`
  insert into deleted_recipient_counts as d
    (workspace_id, broadcast_id, recipients, replied, sent, delivered, read, failed)
  select r.workspace_id, r.broadcast_id, count(*), count(r.replied_at), count(*) filter (where m.status = 'sent'),
    count(*) filter (where m.status = 'delivered'), count(*) filter (where m.status = 'read'),
    count(*) filter (where m.status = 'failed')
  from broadcast_recipients r left join messages m on m.workspace_id = r.workspace_id and m.id = r.message_id
  where r.workspace_id = $1 and r.conversation_id = $2
  group by r.workspace_id, r.broadcast_id order by r.broadcast_id
  on conflict (workspace_id, broadcast_id) do update set recipients = d.recipients + excluded.recipients,
    replied = d.replied + excluded.replied, sent = d.sent + excluded.sent, delivered = d.delivered + excluded.delivered,
    read = d.read + excluded.read, failed = d.failed + excluded.failed`);
const deleteOfConversation = statement(`
  delete from broadcast_recipients where workspace_id = $1 and conversation_id = $2`);

/** Deletes the recipients that a conversation was, before its messages. They stay in the figures of their broadcasts. */
export async function deleteRecipientsOf(
  tx: Transaction,
  workspace_id: string,
  conversation_id: string,
): Promise<void> {
  await countRecipients(tx, [workspace_id, conversation_id]);
  await deleteOfConversation(tx, [workspace_id, conversation_id]);
}
