import type { Transaction } from '../database/transaction.ts';
import { cancelUnclaimed } from '../jobs/queues.ts';
import type { Clock } from '../process/clock.ts';
import { answerMessage } from './jobs.ts';
import { endAgentProposals } from './proposals.ts';

/**
 * Cancels the pending answers of an AI agent in a conversation that somebody else answers from now on, and those that it
 * proposes. The transaction must hold the lock of the conversation. An answer in progress detects the loss of control when it
 * is recorded.
 */
export async function cancelConversationAnswers(
  tx: Transaction,
  clock: Clock,
  conversation: { workspace_id: string; id: string },
): Promise<void> {
  await cancelUnclaimed(tx, answerMessage, conversation.id);
  await endAgentProposals(tx, clock, conversation, { state: 'expired', reason: 'taken_over' });
}
