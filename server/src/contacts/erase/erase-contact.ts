import {
  deleteContactConversations,
  detachConversations,
  lockContactConversations,
} from '../../conversations/contact-conversations.ts';
import type { Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { contactErased } from '../events.ts';
import type { ContactHolder, ErasedContact } from './contact-holder.ts';
import { countErased, rowNamesOf } from './count-erased.ts';
import { identityNames } from './identity-names.ts';
import { deleteContact, findFormerNames, lockContacts, lockIdentities } from './lock-contacts.ts';
import { type EraserActor, writeReceipt } from './receipts/write-receipt.ts';

/**
 * Erases a contact and all data that can name it, in one transaction. Rows are locked in the order of the whole service,
 * the contact first: rows that are being stored for the contact are waited for and erased too. Of a long history it deletes
 * the oldest part and makes the rest unreachable, for `eraseRest`. The receipt is part of the same commit.
 */
export async function eraseContact(
  tx: Transaction,
  { clock, secretBox }: Pick<Resources, 'clock' | 'secretBox'>,
  holders: readonly ContactHolder[],
  { workspace_id, contact_id, actor }: { workspace_id: string; contact_id: string; actor: EraserActor },
): Promise<ErasedContact> {
  const [contact] = await lockContacts(tx, workspace_id, [contact_id]);
  if (!contact) throw new Refusal('not_found');
  const identities = await lockIdentities(tx, workspace_id, [contact_id]);
  const conversation_ids = await lockContactConversations(tx, workspace_id, [contact_id]);
  const names = [...new Set(identities.flatMap(identityNames))];
  const former_names = await findFormerNames(tx, workspace_id, contact_id);
  const erased: ErasedContact = {
    workspace_id,
    contact_id,
    conversation_ids,
    names,
    former_names,
    row_names: rowNamesOf([...names, ...former_names], contact.email),
    dispatches: [],
    unfinished: [],
  };
  const deleted = await countErased(tx, erased);
  for (const holder of holders) await holder.erase(tx, erased);
  await detachConversations(tx, workspace_id, erased.unfinished);
  await deleteContactConversations(tx, workspace_id, contact_id);
  await deleteContact(tx, workspace_id, contact);
  await writeReceipt(tx, { clock, secretBox }, { workspace_id, contact_id, actor, deleted });
  await recordEvents(tx, clock, [contactErased({ workspace_id, id: contact_id })]);
  return erased;
}
