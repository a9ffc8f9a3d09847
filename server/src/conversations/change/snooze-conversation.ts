import { momentOf } from '../../database/moment-of.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';

/**
 * Hides it from lists until the given time, or until the contact writes. Nothing runs at that time: lists compare it
 * with the clock, so that it is back at the very moment.
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
