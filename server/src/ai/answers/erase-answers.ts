import { answerMessage } from '../../automation/jobs.ts';
import type { ContactHolder } from '../../contacts/erase/contact-holder.ts';
import { cancelQueues } from '../../jobs/queues.ts';

/** Cancels the pending answers of an erased contact. The erasure of the conversations deletes earlier outcomes. */
export const aiAnswersHolder: ContactHolder = {
  async erase(tx, { conversation_ids }) {
    await cancelQueues(tx, answerMessage, conversation_ids);
  },
};
