import { cancelConversationRuns } from '../../automation/cancel-runs.ts';
import { endProposalsOfClosed } from '../../automation/proposals.ts';
import { newId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, unknownReference } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { findByPublicId } from '../find-by-public-id.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';
import type { Actor } from './record-changes.ts';

export interface Closing {
  /** The public id of the closing reason. */
  category_id?: string | undefined;
  summary?: string | undefined;
  /** The user who closes it, where known. */
  closed_by: string | null;
  actor: Actor;
  /** Whether the workflow runs of the conversation end with it; false where one of them closes it. */
  ends_runs?: boolean;
}

const insertClosing = statement(`
  insert into conversation_closings (workspace_id, id, conversation_id, opened_at, closed_at, closed_by, category_id,
    summary, survey_message_id, stage_id, assignee_id, team_id)
  select workspace_id, $3, id, coalesce(reopened_at, created_at), $4, $5, $6, $7, $8, stage_id, assignee_id, team_id
  from conversations where workspace_id = $1 and id = $2`);

/**
 * Closes an open conversation and stores the reason. `sendSurvey` runs first, while the conversation still accepts
 * messages, and returns the id of the survey, if any. A closed conversation stays as it is.
 */
export async function closeConversation(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  { category_id, summary, closed_by, actor, ends_runs = true }: Closing,
  sendSurvey: () => Promise<string | null>,
): Promise<void> {
  const { workspace_id, id } = conversation;
  const category = category_id && (await findByPublicId(tx, 'closing_category', workspace_id, category_id));
  if (category_id !== undefined && !category) {
    throw invalid(unknownReference('names no closing reason', '/category_id'));
  }
  if (conversation.status === 'closed') return;
  // While a workflow run has control, the survey would be refused.
  if (conversation.workflow_run_id) {
    await updateConversation(tx, clock, conversation, { controller: 'human', workflow_run_id: null }, null);
  }
  const survey_message_id = await sendSurvey();
  const reason = [closed_by, category ?? null, summary ?? null, survey_message_id];
  await insertClosing(tx, [workspace_id, id, newId(clock), clock.now(), ...reason]);
  const cause = { actor, reason_id: category ?? null, summary: summary ?? null };
  await updateConversation(tx, clock, conversation, { status: 'closed' }, cause);
  await endProposalsOfClosed(tx, clock, conversation);
  if (ends_runs) await cancelConversationRuns(tx, clock, conversation, 'The conversation was closed.');
}
