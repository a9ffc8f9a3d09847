import type { Transaction } from '../database/transaction.ts';
import { cancelUnclaimed } from '../jobs/queues.ts';
import { answerMessage } from './jobs.ts';

/**
 * Takes away what an agent was still to answer in a conversation, because somebody else answers from here on: in the
 * transaction that holds the conversation. An agent that is thinking already sees for itself that it lost control, or
 * that a person has answered.
 */
export async function cancelAnswersIn(tx: Transaction, { id }: { id: string }): Promise<void> {
  await cancelUnclaimed(tx, answerMessage, id);
}
