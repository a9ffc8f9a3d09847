import type { WorkflowStarter } from '../../automation/trigger-workflows.ts';
import { lockContactConversations, moveConversations } from '../../conversations/contact-conversations.ts';
import { type Principal, refuseHidden } from '../../conversations/refuse-hidden.ts';
import type { Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { Bounds } from '../../http/body/check-bounds.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { type ConsentOrigin, moveConsents } from '../consents/record-consents.ts';
import { contactMerged } from '../events.ts';
import { refuseLarger } from '../rules.ts';
import { reportContactChanges } from '../write/record-contact-changes.ts';
import type { ContactHolder, ContactMerge } from './contact-holder.ts';
import { joinContacts } from './join-contacts.ts';
import { deleteContact, lockContacts, lockIdentities, moveIdentities, updateLockedContact } from './lock-contacts.ts';

/**
 * Merges the source into the survivor and deletes it. Both are locked by id first. Of two merges in opposite directions
 * one succeeds, and the other gets 404. 404 too where the principal may not see both.
 */
export async function mergeContacts(
  tx: Transaction,
  clock: Clock,
  holders: readonly ContactHolder[],
  merge: ContactMerge,
  { bounds, origin, principal }: { bounds: Bounds; origin: ConsentOrigin; principal: Principal & WorkflowStarter },
): Promise<void> {
  const { workspace_id, survivor_id, source_id } = merge;
  const both = [survivor_id, source_id];
  const locked = await lockContacts(tx, workspace_id, both);
  const [survivor, source] = both.map((id) => locked.find((contact) => contact.id === id));
  if (!survivor || !source) throw new Refusal('not_found');
  if (survivor === source) throw invalid({ detail: 'is the contact itself', pointer: '/source_contact_id' });
  await lockIdentities(tx, workspace_id, both);
  await lockContactConversations(tx, workspace_id, both);
  for (const contact_id of both) await refuseHidden(tx, principal, { contact_id });
  const joined = joinContacts(survivor, source);
  const fault = refuseLarger(survivor, joined, bounds);
  if (fault) throw invalid({ ...fault, pointer: '/source_contact_id' });

  await moveConversations(tx, merge);
  await moveIdentities(tx, merge);
  await moveConsents(tx, merge);
  for (const holder of holders) await holder.merge?.(tx, merge);
  await updateLockedContact(tx, workspace_id, survivor_id, joined);
  await deleteContact(tx, workspace_id, source);
  await recordEvents(tx, clock, [contactMerged({ workspace_id, id: survivor_id }, source_id)]);
  // Where the merge blocks one of them, its workflow runs end.
  const before = { ...survivor, blocked: survivor.blocked && source.blocked };
  await reportContactChanges(tx, clock, workspace_id, [{ before, after: { ...joined, id: survivor_id } }], {
    origin,
    by: principal,
  });
}
