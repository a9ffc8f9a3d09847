import { type Broadcast, operations } from '@majlis/contract';
import type { ContactHolder } from '../contacts/erase/contact-holder.ts';
import { redactAnswers } from '../http/idempotency/erase-answers.ts';
import { deleteRecipients } from './queries.ts';
import { keepPlaces } from './tier.ts';

const { method, path } = operations.createBroadcast;

/**
 * The number's places of the messaging tier stay taken. Recipients who got a message go with it; those who wait, and those in
 * stored answers, are found by their number.
 */
export const broadcastRecipientsHolder: ContactHolder = {
  async erase(tx, { workspace_id, names, former_names, conversation_ids }) {
    await keepPlaces(tx, workspace_id, conversation_ids);
    await deleteRecipients(tx, workspace_id, names);
    // Those who wait went along to the new number; answers stay as they were given.
    const gone = new Set([...names, ...former_names]);
    await redactAnswers(tx, { workspace_id, operation: `${method} ${path}`, names: [...gone] }, (body) => {
      const broadcast = body as Broadcast;
      const recipients = broadcast.audience.recipients?.filter(({ to }) => !gone.has(to));
      return recipients ? { ...broadcast, audience: { ...broadcast.audience, recipients } } : broadcast;
    });
  },
};
