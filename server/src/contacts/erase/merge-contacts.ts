import { holdConversationsOf, moveConversations } from '../../conversations/of-contacts.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { tellChanges } from '../write/record-contact-changes.ts';
import type { ContactHolder, ContactMerge } from './contact-holder.ts';
import { deleteContact, holdContacts, holdIdentities, moveIdentities, updateHeld } from './hold-contacts.ts';
import { joinContacts } from './join-contacts.ts';

/**
 * Merges the source into the survivor and deletes it. Both are locked before anything is decided, in one order whichever
 * way round they are named: of two merges in opposite directions one finds both, and the other a contact that is gone.
 */
export async function mergeContacts(
  tx: Transaction,
  clock: Clock,
  holders: readonly ContactHolder[],
  merge: ContactMerge,
): Promise<void> {
  const { workspace_id, survivor_id, source_id } = merge;
  const both = [survivor_id, source_id];
  const held = await holdContacts(tx, workspace_id, both);
  const [survivor, source] = both.map((id) => held.find((contact) => contact.id === id));
  if (!survivor || !source) throw new Refusal('not_found');
  if (survivor === source) throw invalid({ detail: 'is the contact itself', pointer: '/source_contact_id' });
  await holdIdentities(tx, workspace_id, both);
  await holdConversationsOf(tx, workspace_id, both);

  await moveConversations(tx, merge);
  await moveIdentities(tx, merge);
  for (const holder of holders) await holder.merge?.(tx, merge);
  const joined = joinContacts(survivor, source);
  await updateHeld(tx, workspace_id, survivor_id, joined);
  await deleteContact(tx, workspace_id, source);
  // Either may be blocked by the merge alone: what workflows do with them ends.
  const before = { ...survivor, blocked: survivor.blocked && source.blocked };
  await tellChanges(tx, clock, workspace_id, [{ id: survivor_id, before, after: joined }]);
}
