import type { ContactUpdate, ContactUpsert } from '@majlis/contract';
import type { Transaction } from '../../database/transaction.ts';
import type { Caller } from '../../http/authenticate.ts';
import type { Bounds } from '../../http/body/check-bounds.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { originOf } from '../consents/record-consents.ts';
import { findContact } from '../find-contact.ts';
import type { ContactRow } from '../present.ts';
import { readChange, refuseFaults } from '../read-contact.ts';
import { readVocabulary } from '../read-vocabulary.ts';
import { changeContact, refuseLarger } from '../rules.ts';
import { reportContactChanges } from './record-contact-changes.ts';
import { lockContact, updateContacts } from './save-contacts.ts';

/** Who writes contacts. */
export type ContactWriter = Pick<Caller, 'workspace_id' | 'country' | 'user_id' | 'is_person'>;

/** Changes the members that were sent. Concurrent changes of one contact run one after the other. */
export async function updateContact(
  tx: Transaction,
  clock: Clock,
  caller: ContactWriter,
  id: string,
  body: ContactUpdate & Pick<ContactUpsert, 'consents'>,
  bounds: Bounds,
  origin = originOf(caller),
): Promise<ContactRow> {
  const { workspace_id } = caller;
  if (!(await lockContact(tx, workspace_id, id))) throw new Refusal('not_found');
  const change = readChange(body, await readVocabulary(tx, caller));
  if (!change.ok) throw refuseFaults(change.faults);
  const before = (await findContact(tx, workspace_id, id))!;
  const after = { ...before, ...changeContact(before, change.value) };
  const fault = refuseLarger(before, after, bounds);
  if (fault) throw invalid(fault);
  await updateContacts(tx, workspace_id, [after], clock.now());
  await reportContactChanges(tx, clock, workspace_id, [{ before, after }], { origin });
  return after;
}
