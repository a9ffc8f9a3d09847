import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { entryOf, insertEntries, type UnindexedRow } from './search-entries.ts';

const lockProgress = statement<{ up_to: string }>(`
  select up_to from message_search_progress where workspace_id = $1 for update`);
const findSegment = statement<{ number: number }>(`
  select number from message_search_segments where workspace_id = $1 and lowest_id <= $2 order by lowest_id desc limit 1`);
const deleteTerms = statement('delete from message_search where workspace_id = $1 and message_id = $2');
const selectMessage = statement<UnindexedRow>(`
  select id, conversation_id, direction, kind, body, filename from messages where workspace_id = $1 and id = $2`);

/** Replaces the terms of a message whose text changed. The job indexes one that it has not reached. */
export async function indexMessage(tx: Transaction, workspace_id: string, id: string): Promise<void> {
  const [progress] = await lockProgress(tx, [workspace_id]);
  if (!progress || progress.up_to < id) return;
  const [segment] = await findSegment(tx, [workspace_id, id]);
  await deleteTerms(tx, [workspace_id, id]);
  const [row] = await selectMessage(tx, [workspace_id, id]);
  const entry = segment && row && entryOf(row, segment);
  if (entry) await insertEntries(tx, workspace_id, [entry]);
}
