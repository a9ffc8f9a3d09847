import type { BeginRun } from '../../automation/jobs.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';

// The message is the last of its side, and the other side wrote nothing later. Notes do not count.
const select = statement(`
  select from conversations c join messages m on m.workspace_id = c.workspace_id and m.id = $3
  where c.workspace_id = $1 and c.id = $2 and c.status = 'open'
    and case m.direction
      when 'inbound' then c.last_customer_message_id = m.id and coalesce(c.last_business_message_id < m.id, true)
      else c.last_business_message_id = m.id and coalesce(c.last_customer_message_id < m.id, true)
    end`);

/** Whether the message still waits for a reply, in an open conversation. */
export async function isReplyMissing(
  tx: Transaction,
  { workspace_id, conversation_id, message_id }: BeginRun,
): Promise<boolean> {
  return (await select(tx, [workspace_id, conversation_id, message_id])).length > 0;
}
