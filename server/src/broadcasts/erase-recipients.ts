import { type Broadcast, operations } from '@majlis/contract';
import type { ContactHolder } from '../contacts/erase/contact-holder.ts';
import { redactAnswers } from '../http/idempotency/erase-answers.ts';
import { deleteRecipients } from './queries.ts';
import { keepPlaces } from './tier.ts';

const { method, path } = operations.createBroadcast;

/**
 * Keeps the places of the messaging tier. Recipients with a message are deleted with the message; waiting ones, and those in
 * stored answers, are found by number.
 */
export const broadcastRecipientsHolder: ContactHolder = {
  async erase(tx, { workspace_id, names, former_names, conversation_ids }) {
    await keepPlaces(tx, workspace_id, conversation_ids);
    await deleteRecipients(tx, workspace_id, names);
    // Waiting recipients moved to the new number; stored answers still hold the former ones.
    const gone = new Set([...names, ...former_names]);
    await redactAnswers(tx, { workspace_id, operation: `${method} ${path}`, names: [...gone] }, (body) => {
      const broadcast = body as Broadcast;
      const recipients = broadcast.audience.recipients?.filter(({ to }) => !gone.has(to));
      return recipients ? { ...broadcast, audience: { ...broadcast.audience, recipients } } : broadcast;
    });
  },
};
