import { readdressRecipients } from '../broadcasts/queries.ts';
import type { HandedOnNumber } from '../contacts/write/hand-on-numbers.ts';
import type { MovedIdentity } from '../contacts/write/move-identity.ts';
import { releaseHandedOn } from '../contacts/write/release-number.ts';
import { followIdentity } from '../conversations/contact-conversations.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import { readdressMessages } from '../messages/dispatch/readdress-messages.ts';
import type { Resources } from '../process/resources.ts';

/** Takes a number from a contact where the platform names somebody else by it, and lets their conversations follow. */
export async function handOnNumber({ pool }: Pick<Resources, 'pool'>, number: HandedOnNumber): Promise<void> {
  await transaction(pool, async (tx) => {
    const released = await releaseHandedOn(tx, number);
    if (released) await followMoved(tx, released);
  });
}

/** Lets conversations, accepted messages and recipients of broadcasts follow an identity. */
export async function followMoved(tx: Transaction, moved: MovedIdentity): Promise<void> {
  const conversation_ids = await followIdentity(tx, moved);
  await readdressMessages(tx, { ...moved, conversation_ids });
  await readdressRecipients(tx, moved);
}
