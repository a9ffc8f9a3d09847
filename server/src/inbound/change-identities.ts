import { readdressRecipients } from '../broadcasts/queries.ts';
import { type IdentityChange, moveIdentity } from '../contacts/write/move-identity.ts';
import { followIdentity } from '../conversations/contact-conversations.ts';
import type { Transaction } from '../database/transaction.ts';
import { readdressMessages } from '../messages/dispatch/readdress-messages.ts';

/** Follows customers to their new number or user id, one after the other: some move twice. */
export async function changeIdentities(tx: Transaction, changes: readonly IdentityChange[]): Promise<void> {
  for (const change of changes) {
    const moved = await moveIdentity(tx, change);
    if (!moved) continue;
    const conversation_ids = await followIdentity(tx, moved);
    await readdressMessages(tx, { ...moved, conversation_ids });
    await readdressRecipients(tx, moved);
  }
}
