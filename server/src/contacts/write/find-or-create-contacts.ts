import { newId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { searchKey } from '../../database/search-key.ts';
import { Outdated, type Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { Clock } from '../../process/clock.ts';
import { contactCreated } from '../events.ts';
import { type SettledPerson, settleNumbers } from './hand-on-numbers.ts';
import { identityKeyOf } from './identity-key.ts';
import type { FoundIdentity, PersonIdentity } from './person-identity.ts';
import { storeReportedNames } from './store-reported-names.ts';
import { TwoContacts } from './two-contacts.ts';

/**
 * The contact of each person, created where there is none. The identity is a unique key: of two concurrent transactions,
 * the second is run again and finds the contact of the first. At the end all the contacts are locked against erasure and
 * merge. Missing contacts are inserted first, then known ones locked, then their identities, each in one order: a
 * transaction with locked contacts waits for no insert, so two batches cannot deadlock.
 */
export async function findOrCreateContacts(
  tx: Transaction,
  clock: Clock,
  people: readonly PersonIdentity[],
  options: Creation = {},
) {
  return createMissing(tx, clock, people, await findIdentities(tx, people), options);
}

interface Creation {
  /** No event tells of the new contacts. */
  is_silent?: boolean;
}

/** Creates contacts that this transaction has looked for and not found. As a rule it waits for no statement. */
export function createContacts(tx: Transaction, clock: Clock, people: readonly PersonIdentity[]) {
  const found = people.map(() => undefined);
  return createMissing(tx, clock, people, found);
}

async function createMissing(
  tx: Transaction,
  clock: Clock,
  people: readonly PersonIdentity[],
  found: (FoundIdentity | undefined)[],
  options: Creation = {},
): Promise<FoundIdentity[]> {
  const before = await findSpellings(tx, people, found);
  const missing = await settleNumbers(
    tx,
    clock,
    people.filter((_, index) => !before[index]),
  );
  const created = insertMissing(tx, clock, missing, options);
  const known = isComplete(before) ? before : await lockKnown(tx, people, before);
  const [nextCreated, nextKnown] = [created.values(), known.values()];
  const all = before.map((one) => (one ? nextKnown : nextCreated).next().value!);
  await requireOneContact(tx, people, all);
  await storeReportedNames(tx, clock, people, all);
  return all;
}

// The contact with the number and the one with the user id are one person only where neither is known to be another: the first has no
// other user id of the same portfolio, and the second no other number. Accounts are of different portfolios as far as both are known.
const selectOthers = statement<{ workspace_id: string; survivor_id: string; source_id: string }>(`
  select w.workspace_id, w.contact_id as survivor_id, u.contact_id as source_id
  from json_to_recordset($1) as w
    (workspace_id uuid, channel_type text, contact_id uuid, identifier text, variants text[], wa_id text, user_id text, waba_id text)
  join contact_identities u on u.workspace_id = w.workspace_id and u.channel_type = w.channel_type and u.user_id = w.user_id
    and u.contact_id <> w.contact_id
  where not exists (select from contact_identities o where o.workspace_id = w.workspace_id and o.channel_type = w.channel_type
      and o.contact_id = w.contact_id and o.user_id is not null and (o.waba_id <> w.waba_id) is not true)
    and not exists (select from contact_identities o where o.workspace_id = w.workspace_id and o.channel_type = w.channel_type
      and o.contact_id = u.contact_id and (o.wa_id <> w.wa_id
        or (o.identifier like '+%' and o.identifier <> w.identifier and o.identifier <> all (coalesce(w.variants, '{}')))))
  limit 1`);

/** Throws where the platform names one person by the ids of two contacts. The usual person, whose ids are known, costs nothing. */
export async function requireOneContact(
  connection: Connection,
  people: readonly PersonIdentity[],
  found: readonly FoundIdentity[],
): Promise<void> {
  const news = people.flatMap((person, index) => {
    const { contact_id, user_id, is_new, is_former } = found[index]!;
    return person.wa_id && person.user_id && person.user_id !== user_id && !is_new && !is_former
      ? [{ ...person, contact_id }]
      : [];
  });
  const [other] = news.length > 0 ? await selectOthers(connection, [JSON.stringify(news)]) : [];
  if (other) throw new TwoContacts(other);
}

// Look-ups by index rather than one with "or": the number first, then the user id. All doors use this order. Each spelling is looked up by the whole
// key: with "= any" or a plain join, a table without statistics is read for all identities of the workspace.
const selectIdentities = statement<FoundIdentity & { n: number; is_held: boolean }>(`
  with known as materialized (
  select w.n, w.workspace_id, i.contact_id, i.identifier, i.wa_id, i.user_id, i.waba_id, i.display_name,
    late.contact_id is not null or i.rank = 1 as is_former
  from json_to_recordset($1) as w
    (n integer, workspace_id uuid, channel_type text, identifier text, variants text[], wa_id text, user_id text, waba_id text,
     active_at timestamptz)
  left join lateral (
    -- Who left a number after the message was written has written it, whoever has the number by now. A user id beside it decides.
    select f.contact_id from contact_former_names f
    join contact_identities o on o.workspace_id = f.workspace_id and o.contact_id = f.contact_id and o.channel_type = w.channel_type
    where f.workspace_id = w.workspace_id and f.name = w.wa_id and f.left_at > w.active_at
    order by f.left_at limit 1
  ) as late on true
  cross join lateral (
    select * from (
      select 0 as rank, o.* from contact_identities o
      where late.contact_id is not null
        and o.workspace_id = w.workspace_id and o.channel_type = w.channel_type and o.user_id = w.user_id
      union all
      -- A number is handed on, a user id never: a former one still names the person.
      (select 1, o.* from contact_former_names f
        join contact_identities o on o.workspace_id = f.workspace_id and o.contact_id = f.contact_id
          and o.channel_type = w.channel_type
        where f.workspace_id = w.workspace_id and f.name = w.user_id
        order by o.created_at limit 1)
      union all
      (select 2, o.* from contact_identities o
        where o.workspace_id = w.workspace_id and o.contact_id = late.contact_id and o.channel_type = w.channel_type
          and (w.user_id is null or not exists (select from contact_identities named
            where named.workspace_id = o.workspace_id and named.contact_id = o.contact_id
              and named.channel_type = o.channel_type and named.user_id is not null
              and (named.waba_id <> w.waba_id) is not true))
        order by o.wa_id is null, o.created_at limit 1)
      union all
      -- A number of another user id of the same portfolio is another person's. Accounts are of different ones as far as both are known.
      select 3, o.* from contact_identities o
      where o.workspace_id = w.workspace_id and o.channel_type = w.channel_type and o.wa_id = w.wa_id
        and (w.user_id is null or o.user_id is null or o.user_id = w.user_id or o.waba_id <> w.waba_id)
      union all
      select 4, o.* from unnest(w.identifier || coalesce(w.variants, '{}')) as spelling cross join lateral (
        select * from contact_identities o
        where o.workspace_id = w.workspace_id and o.channel_type = w.channel_type and o.identifier = spelling
          and (w.user_id is null or o.user_id is null or o.user_id = w.user_id or o.waba_id <> w.waba_id) limit 1
      ) as o
      union all
      select 5, o.* from contact_identities o
      where o.workspace_id = w.workspace_id and o.channel_type = w.channel_type and o.user_id = w.user_id
    ) as spelled order by rank limit 1
  ) as i
  ), held as materialized (
    select c.workspace_id, c.id from contacts c
    join (select distinct workspace_id, contact_id from known) k on k.workspace_id = c.workspace_id and k.contact_id = c.id
    where (select count(*) from known) = $2
    order by c.workspace_id, c.id for no key update of c
  )
  select known.n, known.contact_id, known.identifier, known.wa_id, known.user_id, known.waba_id, known.display_name,
    known.is_former, (known.workspace_id, known.contact_id) in (select workspace_id, id from held) as is_held
  from known`);

/**
 * The contact of each known person, by index. Where all are known, they are locked until the end of the transaction.
 * Otherwise none is locked, so that the missing ones can be inserted first.
 */
export async function findIdentities(
  connection: Connection,
  people: readonly PersonIdentity[],
): Promise<(FoundIdentity | undefined)[]> {
  const wanted = JSON.stringify(people.map((person, n) => ({ ...person, n })));
  const rows = await selectIdentities(connection, [wanted, people.length]);
  const found: (FoundIdentity | undefined)[] = people.map(() => undefined);
  for (const { n, is_held, ...row } of rows) {
    if (!is_held && rows.length === people.length) throw new Outdated('a contact was erased or merged into another');
    found[n] = row;
  }
  return found;
}

/** The same before missing contacts are created: locks their numbers against a creation under another spelling. */
export async function findBeforeCreation(
  tx: Transaction,
  people: readonly PersonIdentity[],
): Promise<(FoundIdentity | undefined)[]> {
  return findSpellings(tx, people, await findIdentities(tx, people));
}

async function findSpellings(tx: Transaction, people: readonly PersonIdentity[], found: (FoundIdentity | undefined)[]) {
  const missing = people.filter((_, index) => !found[index]);
  return lockSpellings(tx, missing) ? findIdentities(tx, people) : found;
}

const lockNames = statement(`
  select pg_advisory_xact_lock(hashtextextended(name, 0))
  from (select distinct name from unnest($1::text[]) as n (name) order by name) as names`);

/**
 * Locks all spellings of these numbers until the end of the transaction, because the unique key of identities sees one
 * spelling alone. Numbers with one spelling, which most have, need no lock. True where the caller must search again,
 * now that the locks are held.
 */
function lockSpellings(tx: Transaction, people: readonly PersonIdentity[]): boolean {
  const names = people.flatMap(({ workspace_id, channel_type, identifier, variants = [] }) => {
    const spellings = [...new Set([identifier, ...variants])].sort();
    return spellings.length > 1 ? [`contacts.spelling ${workspace_id} ${channel_type} ${spellings[0]}`] : [];
  });
  if (names.length > 0) tx.pipeline(lockNames(tx, [names]));
  return names.length > 0;
}

export function isComplete(found: readonly (FoundIdentity | undefined)[]): found is FoundIdentity[] {
  return found.every((person) => person);
}

/** Locks the contacts that were found; they must still exist. */
async function lockKnown(
  tx: Transaction,
  people: readonly PersonIdentity[],
  before: readonly (FoundIdentity | undefined)[],
) {
  const known = people.filter((_, index) => before[index]);
  const locked = known.length > 0 ? await findIdentities(tx, known) : [];
  if (!isComplete(locked)) throw new Outdated('a contact was erased');
  return locked;
}

const insertContacts = statement(`
  with new as (
    select * from json_to_recordset($1) as n (workspace_id uuid, contact_id uuid, channel_type text, identifier text,
      wa_id text, user_id text, waba_id text, profile_name text, name_key text, active_at timestamptz, identifier_key text,
      former_number json)
  ), identities as (
    insert into contact_identities
      (workspace_id, channel_type, identifier, identifier_key, contact_id, display_name, wa_id, user_id, waba_id, created_at, number_at)
    select workspace_id, channel_type, identifier, identifier_key, contact_id, profile_name, wa_id, user_id,
      case when user_id is not null then waba_id end, $2, case when wa_id is not null then active_at end from new
    order by workspace_id, channel_type, identifier
  ), numbers as (
    insert into contact_former_names (workspace_id, contact_id, name, left_at)
    select workspace_id, contact_id, former_number ->> 'wa_id', (former_number ->> 'left_at')::timestamptz from new
    where former_number is not null
  )
  insert into contacts (workspace_id, id, name, name_key, last_activity_at, created_at)
  select workspace_id, contact_id, profile_name, name_key, active_at, $2 from new`);

/** Sends the insert of each person, once where one is named several times. Returns their contacts by index. */
function insertMissing(
  tx: Transaction,
  clock: Clock,
  people: readonly SettledPerson[],
  { is_silent = false }: Creation,
): FoundIdentity[] {
  const created = new Map<string, FoundIdentity>();
  const rows: object[] = [];
  const events: ReturnType<typeof contactCreated>[] = [];
  const all = people.map((person) => {
    const { workspace_id, channel_type, identifier, variants = [], wa_id, user_id, waba_id, profile_name } = person;
    const keyOf = (kind: string, name: string) => `${workspace_id} ${channel_type} ${kind} ${name}`;
    const given = [
      user_id && keyOf('user_id', user_id),
      wa_id && keyOf('wa_id', wa_id),
      keyOf('identifier', identifier),
    ];
    const keys = given.filter((key) => key !== undefined);
    const known = [...keys, ...variants.map((variant) => keyOf('identifier', variant))].find((key) => created.has(key));
    if (known !== undefined) return created.get(known)!;
    const ids = { wa_id: wa_id ?? null, user_id: user_id ?? null, waba_id: waba_id ?? null };
    const contact = { contact_id: newId(clock), identifier, ...ids };
    const found = { ...contact, display_name: profile_name ?? null, is_new: true };
    for (const key of keys) created.set(key, found);
    events.push(contactCreated({ workspace_id, id: contact.contact_id }));
    const identifier_key = identityKeyOf(identifier, { wa_id, user_id });
    rows.push({ ...person, ...contact, identifier_key, name_key: searchKey(profile_name) });
    return found;
  });
  if (rows.length > 0) {
    tx.pipeline(insertContacts(tx, [JSON.stringify(rows), clock.now()]));
    if (!is_silent) tx.pipeline(recordEvents(tx, clock, events));
  }
  return all;
}
