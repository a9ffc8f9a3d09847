import type { ContactUpdate } from '@majlis/contract';
import type { Clock } from '../clock.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Caller } from '../http/authenticate.ts';
import { Refusal } from '../http/refusal.ts';
import { findContact } from './find-contact.ts';
import type { ContactRow } from './present.ts';
import { readChange, refuseFaults } from './read-contact.ts';
import { readVocabulary } from './read-vocabulary.ts';
import { changeContact } from './rules.ts';
import { lockContact, updateContacts } from './save-contacts.ts';
import { tellChanges } from './tell-changes.ts';

/** Changes the members that were sent. Two changes at once are made one after the other. */
export async function updateContact(
  tx: Transaction,
  clock: Clock,
  caller: Pick<Caller, 'workspace_id' | 'country'>,
  id: string,
  body: ContactUpdate,
): Promise<ContactRow> {
  const { workspace_id } = caller;
  if (!(await lockContact(tx, workspace_id, id))) throw new Refusal('not_found');
  const change = readChange(body, await readVocabulary(tx, caller));
  if (!change.ok) throw refuseFaults(change.faults);
  const standing = (await findContact(tx, workspace_id, id))!;
  const changed = { ...standing, ...changeContact(standing, change.value) };
  await updateContacts(tx, workspace_id, [changed], clock.now());
  await tellChanges(tx, clock, workspace_id, [{ id, before: standing, after: changed }]);
  return changed;
}
