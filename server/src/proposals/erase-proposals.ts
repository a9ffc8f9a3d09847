import { deleteProposals } from '../automation/proposals.ts';
import type { ContactHolder } from '../contacts/erase/contact-holder.ts';
import { removeUploads } from '../media/remove-media.ts';

/** Deletes what was proposed to an erased contact, with its files. A merge moves the conversations, and these with them. */
export const proposalsHolder: ContactHolder = {
  async erase(tx, { workspace_id, conversation_ids }) {
    await removeUploads(tx, workspace_id, await deleteProposals(tx, workspace_id, conversation_ids));
  },
};
