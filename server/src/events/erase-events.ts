import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

// In portions: a statement of a million rows would be ended for its length. By the rows' places, a third of the time that
// it takes by their ids; a row that is moved at this moment is found in the next portion.
const deletePortion = statement<{ count: number }>(`
  with deleted as (
    delete from events where ctid = any (array(
      select ctid from events where workspace_id = $1 and conversation_id = any ($2::uuid[]) limit 20000))
    returning id
  )
  select count(*)::int as count from deleted`);

/** Erases what happened in these conversations: the payloads hold the bodies of their messages. */
export async function eraseEvents(tx: Transaction, workspace_id: string, conversation_ids: string[]): Promise<void> {
  let count = 1;
  while (count > 0) count = (await deletePortion(tx, [workspace_id, conversation_ids]))[0]!.count;
}
