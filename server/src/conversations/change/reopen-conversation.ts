import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';

/** Opens a closed one again; an open one stays as it is. */
export async function reopenConversation(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
): Promise<void> {
  if (conversation.status === 'open') return;
  await updateConversation(tx, conversation, { status: 'open', reopened_at: clock.now() });
}
