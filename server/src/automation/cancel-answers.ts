import type { Transaction } from '../database/transaction.ts';
import { cancelUnclaimed } from '../jobs/queues.ts';
import { answerMessage } from './jobs.ts';

/**
 * Cancels the pending answers of an AI agent in a conversation that somebody else answers from now on. The transaction
 * must hold the lock of the conversation. An answer in progress detects the loss of control when it is recorded.
 */
export async function cancelConversationAnswers(tx: Transaction, { id }: { id: string }): Promise<void> {
  await cancelUnclaimed(tx, answerMessage, id);
}
