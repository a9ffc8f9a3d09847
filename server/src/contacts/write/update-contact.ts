import type { ContactUpdate, ContactUpsert } from '@majlis/contract';
import type { Transaction } from '../../database/transaction.ts';
import type { Caller } from '../../http/authenticate.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import type { Config } from '../../process/config.ts';
import { originOf } from '../consents/record-consents.ts';
import { findContact } from '../find-contact.ts';
import type { ContactRow } from '../present.ts';
import { readChange, refuseFaults } from '../read-contact.ts';
import { readVocabulary } from '../read-vocabulary.ts';
import { changeContact, refuseLarger } from '../rules.ts';
import { reportContactChanges } from './record-contact-changes.ts';
import { requireLockedContact } from './require-locked-contact.ts';
import { updateContacts } from './save-contacts.ts';
import { openTagRoom } from './tag-room.ts';

/** What bounds a contact and the tags of all contacts. */
export type ContactLimits = Pick<Config, 'bounds' | 'quotas'>;

/** Who writes contacts. */
export type ContactWriter = Pick<
  Caller,
  'workspace_id' | 'country' | 'user_id' | 'is_person' | 'own_teams_only' | 'starts_no_workflows'
>;

/** Changes the members that were sent. Concurrent changes of one contact run one after the other. */
export async function updateContact(
  tx: Transaction,
  clock: Clock,
  caller: ContactWriter,
  id: string,
  body: ContactUpdate & Pick<ContactUpsert, 'consents'>,
  limits: ContactLimits,
  origin = originOf(caller),
): Promise<ContactRow> {
  const { workspace_id } = caller;
  const takeTags = await openTagRoom(tx, limits.quotas, workspace_id, [body]);
  await requireLockedContact(tx, caller, id);
  const change = readChange(body, await readVocabulary(tx, caller, [body]));
  if (!change.ok) throw refuseFaults(change.faults);
  const beyond = takeTags(body.tags);
  if (beyond.length > 0) throw refuseFaults(beyond);
  const before = (await findContact(tx, workspace_id, id))!;
  const after = { ...before, ...changeContact(before, change.value) };
  const fault = refuseLarger(before, after, limits.bounds);
  if (fault) throw invalid(fault);
  await updateContacts(tx, workspace_id, [after], clock.now());
  await reportContactChanges(tx, clock, workspace_id, [{ before, after }], { origin, by: caller });
  return after;
}
