import type { Transaction } from '../../database/transaction.ts';
import { findIdentities, requireOneContact } from './find-or-create-contacts.ts';
import { type IdentityChange, type MovedIdentity, moveIdentity } from './move-identity.ts';

/** A customer who was known by a user id alone gives their number. */
export interface GivenNumber extends IdentityChange {
  current: IdentityChange['current'] & { variants?: string[] };
}

/**
 * Makes the number the identity that people see. Throws `TwoContacts` where another contact stands for the number alone: both are one
 * person. A contact that is known to be another person keeps the number, and the answer changes nothing.
 */
export async function giveNumber(tx: Transaction, given: GivenNumber): Promise<MovedIdentity | undefined> {
  const { workspace_id, channel_type, current } = given;
  const { identifier, variants, wa_id, user_id } = current;
  const [holder] = await findIdentities(tx, [
    { workspace_id, channel_type, identifier, wa_id, ...(variants && { variants }) },
  ]);
  if (holder) await requireOneContact(tx, [{ ...current, workspace_id, channel_type, user_id }], [holder]);
  return moveIdentity(tx, given);
}
