import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';
import type { Actor } from './record-changes.ts';

/** Reopens a closed conversation. */
export async function reopenConversation(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  actor: Actor,
) {
  if (conversation.status === 'open') return;
  await updateConversation(tx, clock, conversation, { status: 'open', reopened_at: clock.now() }, { actor });
}
