import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';

/** Reopens a closed conversation. */
export async function reopenConversation(tx: Transaction, clock: Clock, conversation: LockedConversation) {
  if (conversation.status === 'open') return;
  await updateConversation(tx, conversation, { status: 'open', reopened_at: clock.now() });
}
