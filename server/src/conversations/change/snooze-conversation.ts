import { momentOf } from '../../database/moment-of.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import { wakeConversationJob } from '../jobs.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';
import type { Actor } from './record-changes.ts';

/** Hides a conversation from lists until the given time, or until the contact writes. */
export async function snoozeConversation(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  { until }: { until: string },
  actor: Actor,
): Promise<void> {
  const snoozed_until = momentOf(until);
  if (!snoozed_until || snoozed_until.getTime() <= clock.nowMs()) {
    throw invalid({ detail: 'is not a moment in the future', pointer: '/until' });
  }
  await updateConversation(tx, clock, conversation, { snoozed_until }, { actor });
  const { workspace_id, id: conversation_id } = conversation;
  await enqueueJobs(tx, [wakeConversationJob({ workspace_id, conversation_id }, snoozed_until)]);
}
