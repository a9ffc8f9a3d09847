import { deleteConversationsOf, holdConversationsOf } from '../../conversations/of-contacts.ts';
import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { ContactHolder } from './contact-holder.ts';
import { deleteContact, findFormerNames, holdContacts, holdIdentities } from './hold-contacts.ts';
import { namesOf } from './names-of.ts';

/**
 * Erases a contact for good, with everything that can name it: for readers all of it goes in one moment. Rows are locked
 * in the order of the whole service, the contact first: what is being stored for it is waited for and erased too, and
 * what comes later finds nobody. Answers the jobs whose calls to the platform had begun; they leave nothing behind.
 */
export async function eraseContact(
  tx: Transaction,
  holders: readonly ContactHolder[],
  workspace_id: string,
  contact_id: string,
): Promise<number[]> {
  const [contact] = await holdContacts(tx, workspace_id, [contact_id]);
  if (!contact) throw new Refusal('not_found');
  const identities = await holdIdentities(tx, workspace_id, [contact_id]);
  const conversation_ids = await holdConversationsOf(tx, workspace_id, [contact_id]);
  const erased = {
    workspace_id,
    contact_id,
    conversation_ids,
    names: [...new Set(identities.flatMap(namesOf))],
    former_names: await findFormerNames(tx, workspace_id, contact_id),
    dispatches: [],
  };
  for (const holder of holders) await holder.erase(tx, erased);
  await deleteConversationsOf(tx, workspace_id, contact_id);
  await deleteContact(tx, workspace_id, contact);
  return erased.dispatches;
}
