import type { Connection } from '../../database/pool.ts';
import type { Clock } from '../../process/clock.ts';
import { type SettledPerson, settleNumbers } from './hand-on-numbers.ts';
import { addFurtherUserIds, learnIdentities } from './learn-identities.ts';
import { insertFormer } from './move-identity.ts';
import type { FoundIdentity, PersonIdentity } from './person-identity.ts';

interface Reported {
  person: SettledPerson;
  contact: FoundIdentity;
}

/**
 * Stores new platform ids and profile names of known people, whose contacts are locked. `all` has the contact of each person, by index.
 * A message by a former number brings none. Throws `NumbersHandedOn` as `settleNumbers` does.
 */
export async function storeReportedNames(
  connection: Connection,
  clock: Clock,
  people: readonly PersonIdentity[],
  all: readonly FoundIdentity[],
): Promise<void> {
  const reported = await settleKnown(
    connection,
    clock,
    people.flatMap((person, index) => (all[index]!.is_former ? [] : [{ person, contact: all[index]! }])),
  );
  const identities = reported.flatMap(({ person, contact }) => {
    const { identifier, wa_id, user_id, waba_id, display_name } = contact;
    const { profile_name } = person;
    const isOther = person.user_id && (person.user_id !== user_id || (person.waba_id && !waba_id));
    const isNews = (person.wa_id && !wa_id) || isOther || (profile_name && profile_name !== display_name);
    return isNews ? [{ ...person, identifier }] : [];
  });
  await learnIdentities(connection, identities);
  const others = reported.flatMap(({ person, contact: { identifier, user_id } }) =>
    user_id && person.user_id && person.user_id !== user_id ? [{ ...person, identifier }] : [],
  );
  await addFurtherUserIds(connection, clock, others);
}

/** Settles the numbers of people who were known by their user ids alone. One that the person has left since is stored as a former one. */
async function settleKnown(connection: Connection, clock: Clock, reported: readonly Reported[]): Promise<Reported[]> {
  const isNumbered = ({ person, contact }: Reported) =>
    person.wa_id && !contact.wa_id && contact.user_id && !contact.is_new;
  const numbered = reported.filter(isNumbered).map(({ person }) => person);
  if (numbered.length === 0) return [...reported];
  const settled = (await settleNumbers(connection, clock, numbered)).values();
  const all = reported.map((one) => (isNumbered(one) ? { ...one, person: settled.next().value! } : one));
  for (const { person, contact } of all) {
    const { workspace_id, former_number } = person;
    if (!former_number) continue;
    await insertFormer(connection, [workspace_id, contact.contact_id, [former_number.wa_id], former_number.left_at]);
  }
  return all;
}
