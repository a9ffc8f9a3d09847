import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { findOrCreateContacts } from './find-or-create-contacts.ts';
import { nameByAddressBook, shareAddressBooks } from './name-by-address-book.ts';
import type { FoundIdentity, PersonIdentity } from './person-identity.ts';

interface ReportedPerson {
  workspace_id: string;
  channel_id: string;
  channel_type: string;
  person: Omit<PersonIdentity, 'workspace_id' | 'channel_type'>;
  at: Date;
}

/**
 * The contact of each person of the platform's reports other than messages, created where there is none. A new one without
 * a name of its own has the name of the phone app's address book. A customer's message brings their name with it.
 */
export async function findOrCreateReported(
  tx: Transaction,
  clock: Clock,
  reported: readonly ReportedPerson[],
  options: { is_silent?: boolean } = {},
): Promise<FoundIdentity[]> {
  const nameless = reported.filter(({ person }) => !person.profile_name);
  if (nameless.length > 0) {
    await shareAddressBooks(tx, [...new Set(nameless.map(({ channel_id }) => channel_id))]);
  }
  const people = reported.map(({ workspace_id, channel_type, person, at }) => {
    return { workspace_id, channel_type, ...person, active_at: at };
  });
  const contacts = await findOrCreateContacts(tx, clock, people, options);
  const created = reported.flatMap(({ workspace_id, channel_id, person }, n) => {
    const { contact_id, is_new } = contacts[n]!;
    return is_new && !person.profile_name ? [{ workspace_id, channel_id, contact_id, person }] : [];
  });
  await nameByAddressBook(tx, created);
  return contacts;
}
