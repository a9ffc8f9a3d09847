import type { Transaction } from '../../database/transaction.ts';
import { findIdentities, requireOneContact } from './find-or-create-contacts.ts';
import { type IdentityChange, type MovedIdentity, moveIdentity } from './move-identity.ts';

/** A customer who was known by a user id alone gives their number. */
export interface GivenNumber extends IdentityChange {
  current: IdentityChange['current'] & { variants?: string[] };
}

/**
 * Makes the number the identity that people see. Throws `TwoContacts` where another contact stands for the number alone: both are one
 * person. A contact that is known to be another person keeps the number, and the answer changes nothing. One that has the number
 * already, with a user id of another portfolio, keeps its identities as they are.
 */
export async function giveNumber(tx: Transaction, given: GivenNumber): Promise<MovedIdentity[]> {
  const { workspace_id, channel_type, current, previous } = given;
  const { identifier, variants, wa_id, user_id, waba_id } = current;
  const of = { workspace_id, channel_type };
  const [holder] = await findIdentities(tx, [{ ...of, identifier, wa_id, ...(variants && { variants }) }]);
  if (holder) await requireOneContact(tx, [{ ...current, ...of }], [holder]);
  const [giver] = await findIdentities(tx, [{ ...of, identifier: user_id!, user_id: previous.user_id }]);
  if (holder && giver?.contact_id === holder.contact_id && holder.waba_id !== null && holder.waba_id !== waba_id) {
    const { contact_id, identifier: same } = holder;
    return [{ ...of, contact_id, former_identifier: same, former_names: [], identifier: same, address: same }];
  }
  const moved = await moveIdentity(tx, given);
  return moved ? [moved] : [];
}
