import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';

const lockProgress = statement<{ up_to: string }>(`
  select up_to from message_search_progress where workspace_id = $1 for update`);
const findSegment = statement<{ lowest_id: string }>(`
  select lowest_id from message_search_segments where workspace_id = $1 and lowest_id <= $2
  order by lowest_id desc limit 1`);
const findBefore = statement<{ id: string }>(`
  select id from messages where workspace_id = $1 and id < $2 order by id desc limit 1`);
const deleteTerms = statement('delete from message_search where workspace_id = $1 and message_id >= $2');
const deleteSegments = statement('delete from message_search_segments where workspace_id = $1 and lowest_id >= $2');
const setProgress = statement('update message_search_progress set up_to = $2 where workspace_id = $1');

const lowest = '00000000-0000-0000-0000-000000000000';

/**
 * Has the messages from this one on indexed once more, after older messages were stored among indexed ones: a segment holds the
 * messages between two ids. The job fills the index again, and a search misses messages until it has.
 */
export async function indexAgain(tx: Transaction, workspace_id: string, from_id: string): Promise<void> {
  const [progress] = await lockProgress(tx, [workspace_id]);
  if (!progress || progress.up_to < from_id) return;
  const start = (await findSegment(tx, [workspace_id, from_id]))[0]?.lowest_id ?? lowest;
  const before = start === lowest ? undefined : (await findBefore(tx, [workspace_id, start]))[0]?.id;
  await deleteTerms(tx, [workspace_id, start]);
  await deleteSegments(tx, [workspace_id, start]);
  await setProgress(tx, [workspace_id, before ?? lowest]);
}
