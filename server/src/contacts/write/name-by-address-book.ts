import { statement } from '../../database/query.ts';
import { searchKey } from '../../database/search-key.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { ErasedContact } from '../erase/contact-holder.ts';
import { findIdentities } from './find-or-create-contacts.ts';
import type { PersonIdentity } from './person-identity.ts';

type Person = Omit<PersonIdentity, 'workspace_id' | 'channel_type'>;

/** The name of a person in the address book of the phone app. */
export interface AddressBookName {
  workspace_id: string;
  channel_id: string;
  channel_type: string;
  person: Person;
  name: string;
  at: Date;
}

const selectNames = statement<{ n: number; name: string }>(`
  select w.n, e.name from json_to_recordset($1) as w (n integer, workspace_id uuid, channel_id uuid, person text)
  join address_book_entries e on e.workspace_id = w.workspace_id and e.channel_id = w.channel_id and e.person = w.person`);

// Answers the names that are news. Of two names of one second, the same one counts in any order.
const upsert = statement<{ n: number }>(`
  with new as (
    select * from json_to_recordset($1) as n
      (n integer, workspace_id uuid, channel_id uuid, person text, name text, at timestamptz)
  ), stored as (
    insert into address_book_entries as e (workspace_id, channel_id, person, name, reported_at)
    select workspace_id, channel_id, person, name, at from new order by workspace_id, channel_id, person
    on conflict (workspace_id, channel_id, person) do update set name = excluded.name, reported_at = excluded.reported_at
      where e.reported_at < excluded.reported_at or e.reported_at = excluded.reported_at and e.name < excluded.name
    returning e.workspace_id, e.channel_id, e.person
  )
  select new.n from stored join new using (workspace_id, channel_id, person)`);

// A name that a person gave, or the customer chose, stays. One of the address book gives way to a newer one.
const rename = statement(`
  with named as (
    select * from json_to_recordset($1) as n (workspace_id uuid, contact_id uuid, name text, name_key text, former_name text)
  ), locked as materialized (
    select c.workspace_id, c.id, n.name, n.name_key from contacts c
    join named n on n.workspace_id = c.workspace_id and n.contact_id = c.id
    where c.name is null or c.name = n.former_name
    order by c.workspace_id, c.id for no key update of c
  )
  update contacts c set name = l.name, name_key = l.name_key from locked l
  where c.workspace_id = l.workspace_id and c.id = l.id`);

// A name and its contact that two transactions store at once would not see each other.
const lockBooks = statement(`
  select pg_advisory_xact_lock(hashtextextended('address book ' || channel_id, 0))
  from (select distinct unnest($1::text[]) as channel_id order by 1) as channels`);
const shareBooks = statement(`
  select pg_advisory_xact_lock_shared(hashtextextended('address book ' || channel_id, 0))
  from (select distinct unnest($1::text[]) as channel_id order by 1) as channels`);

/** Waits for the names that other transactions store. Before the contacts are created. */
export async function shareAddressBooks(tx: Transaction, channel_ids: readonly string[]): Promise<void> {
  await shareBooks(tx, [channel_ids]);
}

/** Keeps names of the phone app's address book, and gives them to contacts without a name. No contact is created. */
export async function storeAddressBook(tx: Transaction, names: readonly AddressBookName[]): Promise<void> {
  const latest = new Map<string, AddressBookName>();
  for (const one of names) {
    const key = `${one.channel_id} ${personOf(one.person)}`;
    const known = latest.get(key);
    if (!known || known.at < one.at || (known.at.getTime() === one.at.getTime() && known.name < one.name)) {
      latest.set(key, one);
    }
  }
  const entries = [...latest.values()];
  if (entries.length === 0) return;
  const rows = entries.map(({ workspace_id, channel_id, person, name, at }, n) => {
    return { n, workspace_id, channel_id, person: personOf(person), name, at };
  });
  await lockBooks(tx, [rows.map(({ channel_id }) => channel_id)]);
  const former = new Map((await selectNames(tx, [JSON.stringify(rows)])).map(({ n, name }) => [n, name]));
  const news = await upsert(tx, [JSON.stringify(rows)]);
  const people = news.map(({ n }) => {
    const { workspace_id, channel_type, person } = entries[n]!;
    return { workspace_id, channel_type, ...person };
  });
  const found = people.length > 0 ? await findIdentities(tx, people) : [];
  const renamed = news.flatMap(({ n }, index) => {
    const { workspace_id, name } = entries[n]!;
    const contact_id = found[index]?.contact_id;
    return contact_id
      ? [{ workspace_id, contact_id, name, name_key: searchKey(name), former_name: former.get(n) ?? null }]
      : [];
  });
  if (renamed.length > 0) await rename(tx, [JSON.stringify(renamed)]);
}

/** The digits of the number, in the spelling of the contact, or the user id. */
function personOf({ identifier }: Person): string {
  return identifier.replace(/^\+/, '');
}

interface NewContact {
  workspace_id: string;
  channel_id: string;
  contact_id: string;
  person: Person;
}

/** Names new contacts that stand in the address book of the phone app. */
export async function nameByAddressBook(tx: Transaction, contacts: readonly NewContact[]): Promise<void> {
  if (contacts.length === 0) return;
  const wanted = contacts.map(({ workspace_id, channel_id, person }, n) => {
    return { n, workspace_id, channel_id, person: personOf(person) };
  });
  const named = (await selectNames(tx, [JSON.stringify(wanted)])).map(({ n, name }) => {
    const { workspace_id, contact_id } = contacts[n]!;
    return { workspace_id, contact_id, name, name_key: searchKey(name), former_name: null };
  });
  if (named.length > 0) await rename(tx, [JSON.stringify(named)]);
}

const deleteNamed = statement(`delete from address_book_entries where workspace_id = $1 and person = any($2)`);

/** Removes a person from the address books. */
export async function eraseFromAddressBooks(tx: Transaction, { workspace_id, names }: ErasedContact): Promise<void> {
  await deleteNamed(tx, [workspace_id, names]);
}
