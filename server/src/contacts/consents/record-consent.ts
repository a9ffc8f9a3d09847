import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { findContact } from '../find-contact.ts';
import type { ContactRow } from '../present.ts';
import { requireLockedContact } from '../write/require-locked-contact.ts';
import { type ContactLimits, type ContactWriter, updateContact } from '../write/update-contact.ts';
import { originOf, recordConsents } from './record-consents.ts';

interface ToldConsent {
  consent?: string;
  granted: boolean;
  shown_text?: string;
}

const longestKey = 64;

/** Records what a contact told a person. It is evidence also where the consent stays as it was. */
export async function recordConsent(
  tx: Transaction,
  clock: Clock,
  caller: ContactWriter,
  id: string,
  { consent = 'chatapp_marketing', granted, shown_text }: ToldConsent,
  limits: ContactLimits,
): Promise<ContactRow> {
  const { workspace_id } = caller;
  if (consent.trim() === '' || consent.length > longestKey) {
    throw invalid({ detail: `must have 1 to ${longestKey} characters`, pointer: '/consent' });
  }
  await requireLockedContact(tx, caller, id);
  const origin = { ...originOf(caller), shown_text: shown_text?.trim() || undefined };
  const before = (await findContact(tx, workspace_id, id))!;
  if ((before.consents as Record<string, unknown>)[consent] === granted) {
    await recordConsents(tx, clock, [{ workspace_id, contact_id: id, consent, value: granted, origin }]);
    return before;
  }
  return updateContact(tx, clock, caller, id, { consents: { [consent]: granted } }, limits, origin);
}
