import { momentOf } from '../../database/moment-of.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';

/**
 * Hides a conversation from lists until the given time, or until the contact writes. Lists compare the time with the
 * clock, so no job has to end the snooze.
 */
export async function snoozeConversation(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  { until }: { until: string },
): Promise<void> {
  const snoozed_until = momentOf(until);
  if (!snoozed_until || snoozed_until.getTime() <= clock.nowMs()) {
    throw invalid({ detail: 'is not a moment in the future', pointer: '/until' });
  }
  await updateConversation(tx, conversation, { snoozed_until });
}
