import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { dispatchKinds } from '../jobs.ts';

interface AddressChange {
  workspace_id: string;
  conversation_ids: readonly string[];
  former_names: readonly string[];
  address: string;
}

// Found by their jobs, because a conversation may have 100,000 messages. A started dispatch keeps its recipient.
const update = statement(`
  with waiting as materialized (
    select (j.payload::json ->> 'message_id')::uuid as id from jobs j
    where j.kind = any ($2::text[]) and j.queue_key = any ($3::uuid[]) and j.started_at is null
  ), locked as materialized (
    select m.id from messages m join waiting w on m.workspace_id = $1 and m.id = w.id
    where m.recipient = any ($4::text[])
    order by m.id for no key update of m
  )
  update messages m set recipient = $5 from locked where m.workspace_id = $1 and m.id = locked.id`);

/** Sets the new address of a customer on their waiting messages: another person may have the old number by now. */
export async function readdressMessages(tx: Transaction, change: AddressChange): Promise<void> {
  const { workspace_id, conversation_ids, former_names, address } = change;
  await update(tx, [workspace_id, dispatchKinds, conversation_ids, former_names, address]);
}
