import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { dispatchKinds } from '../jobs.ts';

export interface Readdressed {
  workspace_id: string;
  conversation_ids: readonly string[];
  former_names: readonly string[];
  address: string;
}

// Found by their jobs: a conversation may hold 100,000 messages. What has passed its point of no return is on its way.
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

/** Sends what waits for dispatch to where the customer has gone: their old number may be a stranger's by now. */
export async function readdressMessages(tx: Transaction, readdressed: Readdressed): Promise<void> {
  const { workspace_id, conversation_ids, former_names, address } = readdressed;
  await update(tx, [workspace_id, dispatchKinds, conversation_ids, former_names, address]);
}
