import { cancelConversationRuns } from '../../automation/cancel-runs.ts';
import { newId, parseId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { isKnown } from '../list/is-known.ts';
import { insertClosing, type LockedConversation, updateConversation } from '../queries.ts';

export interface Closing {
  /** The closing reason, by its public id. */
  category_id?: string | undefined;
  summary?: string | undefined;
  /** The user who closes it, where known. */
  closed_by: string | null;
  /** Whether what workflows do in it ends with it; not so where one of them closes it. */
  ends_runs?: boolean;
}

/**
 * Closes an open conversation and keeps why. `ask` runs before, while the conversation still takes messages, and
 * answers the survey that it sent, if any. A closed one stays as it is, and its first reason too.
 */
export async function closeConversation(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  { category_id, summary, closed_by, ends_runs = true }: Closing,
  ask: () => Promise<string | null>,
): Promise<void> {
  const category = category_id === undefined ? null : (parseId('closing_category', category_id) ?? '');
  if (category !== null && !(await isKnown(tx, 'closing_categories', conversation.workspace_id, category))) {
    throw invalid({ detail: 'names no closing reason', pointer: '/category_id' });
  }
  if (conversation.status === 'closed') return;
  await takeFromRun(tx, conversation);
  const survey_message_id = await ask();
  await insertClosing(tx, conversation, {
    id: newId(clock),
    closed_at: clock.now(),
    closed_by,
    category_id: category,
    summary: summary ?? null,
    survey_message_id,
  });
  await updateConversation(tx, conversation, { status: 'closed' });
  if (ends_runs) await cancelConversationRuns(tx, clock, conversation, 'The conversation was closed.');
}

/** A workflow that controls it has nothing more to say in it. */
async function takeFromRun(tx: Transaction, conversation: LockedConversation): Promise<void> {
  if (!conversation.workflow_run_id) return;
  await updateConversation(tx, conversation, { controller: 'human', workflow_run_id: null });
}
