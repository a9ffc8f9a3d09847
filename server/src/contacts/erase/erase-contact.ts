import {
  deleteContactConversations,
  detachConversations,
  lockContactConversations,
} from '../../conversations/contact-conversations.ts';
import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { ContactHolder, ErasedContact } from './contact-holder.ts';
import { identityNames } from './identity-names.ts';
import { deleteContact, findFormerNames, lockContacts, lockIdentities } from './lock-contacts.ts';

/**
 * Erases a contact and all data that can name it, in one transaction. Rows are locked in the order of the whole service,
 * the contact first: rows that are being stored for the contact are waited for and erased too. Of a long history it deletes
 * the oldest part and makes the rest unreachable, for `eraseRest`.
 */
export async function eraseContact(
  tx: Transaction,
  holders: readonly ContactHolder[],
  workspace_id: string,
  contact_id: string,
): Promise<ErasedContact> {
  const [contact] = await lockContacts(tx, workspace_id, [contact_id]);
  if (!contact) throw new Refusal('not_found');
  const identities = await lockIdentities(tx, workspace_id, [contact_id]);
  const conversation_ids = await lockContactConversations(tx, workspace_id, [contact_id]);
  const erased: ErasedContact = {
    workspace_id,
    contact_id,
    conversation_ids,
    names: [...new Set(identities.flatMap(identityNames))],
    former_names: await findFormerNames(tx, workspace_id, contact_id),
    dispatches: [],
    unfinished: [],
  };
  for (const holder of holders) await holder.erase(tx, erased);
  await detachConversations(tx, workspace_id, erased.unfinished);
  await deleteContactConversations(tx, workspace_id, contact_id);
  await deleteContact(tx, workspace_id, contact);
  return erased;
}
