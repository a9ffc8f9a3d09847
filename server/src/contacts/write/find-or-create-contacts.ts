import { newId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { searchKey } from '../../database/search-key.ts';
import { Outdated, type Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { learnIdentities } from './learn-identities.ts';
import { lockSpellings } from './lock-spellings.ts';

/** Someone on a channel: by the number or handle they are known under, or by the platform's own names of them. */
export interface Person {
  workspace_id: string;
  channel_type: string;
  /** E.164 for a phone number. */
  identifier: string;
  /** Other spellings under which the same person may be known already. */
  variants?: string[];
  wa_id?: string | undefined;
  user_id?: string | undefined;
  /** The name they chose for themselves. */
  profile_name?: string | undefined;
  /** When they wrote or were written to, where that is why they are looked for. */
  active_at?: Date | undefined;
}

export interface FoundContact {
  contact_id: string;
  identifier: string;
  /** Created by this transaction: nothing of it existed before. */
  is_new?: boolean;
}

/**
 * The contact of each person, created where there is none. Single under any race: the identity is the unique key, and
 * the transaction that comes second is run again and finds the contact of the first. At the end all the contacts are
 * locked, so that none is erased or merged away. First the missing ones are inserted, then the known ones are locked,
 * then their identities, each in one order: whoever holds a contact waits for no insert, and so two batches cannot wait
 * for each other.
 */
export async function findOrCreateContacts(
  tx: Transaction,
  clock: Clock,
  people: readonly Person[],
): Promise<FoundContact[]> {
  return createMissing(tx, clock, people, await findPeople(tx, people));
}

/** For people who were looked for by this transaction and not found. As a rule no statement is waited for. */
export function createContacts(tx: Transaction, clock: Clock, people: readonly Person[]): Promise<FoundContact[]> {
  const found = people.map(() => undefined);
  return createMissing(tx, clock, people, found);
}

async function createMissing(
  tx: Transaction,
  clock: Clock,
  people: readonly Person[],
  found: (Found | undefined)[],
): Promise<FoundContact[]> {
  const before = await findSpellings(tx, people, found);
  const created = create(
    tx,
    clock,
    people.filter((_, index) => !before[index]),
  );
  const known = isComplete(before) ? before : await holdKnown(tx, people, before);
  const [nextCreated, nextKnown] = [created.values(), known.values()];
  const all = before.map((one) => (one ? nextKnown : nextCreated).next().value!);
  await learn(tx, people, all);
  return all;
}

export interface Found extends FoundContact {
  wa_id: string | null;
  user_id: string | null;
  display_name: string | null;
}

// Three look-ups by index rather than one with "or": in the order of how well they identify. Each spelling is looked up by
// the whole key: with "= any" or a plain join, all identities of the workspace are read while the table has no statistics.
const findContacts = statement<Found & { n: number; is_held: boolean }>(`
  with known as materialized (
  select w.n, w.workspace_id, i.contact_id, i.identifier, i.wa_id, i.user_id, i.display_name
  from json_to_recordset($1) as w
    (n integer, workspace_id uuid, channel_type text, identifier text, variants text[], wa_id text, user_id text)
  cross join lateral (
    select * from (
      select 1 as rank, o.* from contact_identities o
      where o.workspace_id = w.workspace_id and o.channel_type = w.channel_type and o.wa_id = w.wa_id
      union all
      select 2, o.* from contact_identities o
      where o.workspace_id = w.workspace_id and o.channel_type = w.channel_type and o.user_id = w.user_id
      union all
      select 3, o.* from unnest(w.identifier || coalesce(w.variants, '{}')) as spelling cross join lateral (
        select * from contact_identities o
        where o.workspace_id = w.workspace_id and o.channel_type = w.channel_type and o.identifier = spelling limit 1
      ) as o
    ) as spelled order by rank limit 1
  ) as i
  ), held as materialized (
    select c.workspace_id, c.id from contacts c
    join (select distinct workspace_id, contact_id from known) k on k.workspace_id = c.workspace_id and k.contact_id = c.id
    where (select count(*) from known) = $2
    order by c.workspace_id, c.id for no key update of c
  )
  select known.n, known.contact_id, known.identifier, known.wa_id, known.user_id, known.display_name,
    (known.workspace_id, known.contact_id) in (select workspace_id, id from held) as is_held
  from known`);

/**
 * The contact of each person who is known, by index. Where all are known, they are locked until the end of the
 * transaction; where some are not, none is, so that those can be inserted first.
 */
export async function findPeople(connection: Connection, people: readonly Person[]): Promise<(Found | undefined)[]> {
  const wanted = JSON.stringify(people.map((person, n) => ({ ...person, n })));
  const rows = await findContacts(connection, [wanted, people.length]);
  const found: (Found | undefined)[] = people.map(() => undefined);
  for (const { n, is_held, ...row } of rows) {
    if (!is_held && rows.length === people.length) throw new Outdated('a contact was erased or merged into another');
    found[n] = row;
  }
  return found;
}

/** The same, before those who are missing are created: nobody creates them under another spelling meanwhile. */
export async function findBeforeCreation(tx: Transaction, people: readonly Person[]): Promise<(Found | undefined)[]> {
  return findSpellings(tx, people, await findPeople(tx, people));
}

async function findSpellings(tx: Transaction, people: readonly Person[], found: (Found | undefined)[]) {
  const missing = people.filter((_, index) => !found[index]);
  return lockSpellings(tx, missing) ? findPeople(tx, people) : found;
}

export function isComplete(found: readonly (Found | undefined)[]): found is Found[] {
  return found.every((person) => person);
}

/** Locks the contacts of those who were known; they must be known still. */
async function holdKnown(tx: Transaction, people: readonly Person[], before: readonly (Found | undefined)[]) {
  const known = people.filter((_, index) => before[index]);
  const held = known.length > 0 ? await findPeople(tx, known) : [];
  if (!isComplete(held)) throw new Outdated('a contact was erased');
  return held;
}

const insertContacts = statement(`
  with new as (
    select * from json_to_recordset($1) as n (workspace_id uuid, contact_id uuid, channel_type text, identifier text,
      wa_id text, user_id text, profile_name text, name_key text, active_at timestamptz, identifier_key text)
  ), identities as (
    insert into contact_identities
      (workspace_id, channel_type, identifier, identifier_key, contact_id, display_name, wa_id, user_id, created_at)
    select workspace_id, channel_type, identifier, identifier_key, contact_id, profile_name, wa_id, user_id, $2 from new
    order by workspace_id, channel_type, identifier
  )
  insert into contacts (workspace_id, id, name, name_key, last_activity_at, created_at)
  select workspace_id, contact_id, profile_name, name_key, active_at, $2 from new`);

/** Sends the insert of each person, once where one is named several times; answers their contacts by place. */
function create(tx: Transaction, clock: Clock, people: readonly Person[]): Found[] {
  const created = new Map<string, Found>();
  const rows: object[] = [];
  const all = people.map((person) => {
    const { workspace_id, channel_type, identifier, variants = [], wa_id, user_id, profile_name } = person;
    const keyOf = (kind: string, name: string) => `${workspace_id} ${channel_type} ${kind} ${name}`;
    const given = [
      wa_id && keyOf('wa_id', wa_id),
      user_id && keyOf('user_id', user_id),
      keyOf('identifier', identifier),
    ];
    const keys = given.filter((key) => key !== undefined);
    const known = [...keys, ...variants.map((variant) => keyOf('identifier', variant))].find((key) => created.has(key));
    if (known !== undefined) return created.get(known)!;
    const contact = { contact_id: newId(clock), identifier, wa_id: wa_id ?? null, user_id: user_id ?? null };
    const found = { ...contact, display_name: profile_name ?? null, is_new: true };
    for (const key of keys) created.set(key, found);
    const keys_searched = { identifier_key: searchKey(identifier), name_key: searchKey(profile_name) };
    rows.push({ ...person, ...contact, ...keys_searched });
    return found;
  });
  if (rows.length > 0) tx.pipeline(insertContacts(tx, [JSON.stringify(rows), clock.now()]));
  return all;
}

/** Keeps what the platform told of people who were known already: its names of them, and the one they bear there. */
async function learn(connection: Connection, people: readonly Person[], found: readonly Found[]): Promise<void> {
  const identities = people.flatMap((person, index) => {
    const { identifier, wa_id, user_id, display_name } = found[index]!;
    const { profile_name } = person;
    const isNews =
      (person.wa_id && !wa_id) || (person.user_id && !user_id) || (profile_name && profile_name !== display_name);
    return isNews ? [{ ...person, identifier }] : [];
  });
  await learnIdentities(connection, identities);
}
