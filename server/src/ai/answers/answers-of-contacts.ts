import { answerMessage } from '../../automation/jobs.ts';
import type { ContactHolder } from '../../contacts/erase/contact-holder.ts';
import { cancelQueues } from '../../jobs/queues.ts';

/** What an agent was to answer is answered no more; what became of earlier times goes with the conversation. */
export const answersOfContacts: ContactHolder = {
  async erase(tx, { conversation_ids }) {
    await cancelQueues(tx, answerMessage, conversation_ids);
  },
};
