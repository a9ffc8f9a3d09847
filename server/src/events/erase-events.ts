import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

// A statement of a million rows would exceed the statement timeout, so rows go in portions. Deleting by ctid takes a third of the
// time of deleting by id. A concurrently updated row is found by the next portion.
const deletePortion = statement<{ count: number }>(`
  with deleted as (
    delete from events where ctid = any (array(
      select ctid from events where workspace_id = $1 and conversation_id = any ($2::uuid[]) limit 20000))
    returning id
  )
  select count(*)::int as count from deleted`);

/** Erases the events of conversations, because their payloads contain message bodies. */
export async function eraseEvents(tx: Transaction, workspace_id: string, conversation_ids: string[]): Promise<void> {
  let count = 1;
  while (count > 0) count = (await deletePortion(tx, [workspace_id, conversation_ids]))[0]!.count;
}
