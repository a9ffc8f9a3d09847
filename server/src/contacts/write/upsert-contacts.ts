import type { ContactUpsert } from '@majlis/contract';
import { newId } from '../../database/ids.ts';
import { Outdated, type Transaction } from '../../database/transaction.ts';
import type { Caller } from '../../http/authenticate.ts';
import type { Clock } from '../../process/clock.ts';
import { findContacts } from '../find-contact.ts';
import {
  type Fault,
  keyOf,
  type PlacedIdentity,
  type ReadIdentity,
  readChange,
  readIdentities,
} from '../read-contact.ts';
import { readVocabulary } from '../read-vocabulary.ts';
import { blank, type ContactChange, type ContactFields, changeContact } from '../rules.ts';
import { findBeforeCreation, findPeople, isComplete } from './find-or-create-contacts.ts';
import { tellChanges } from './record-contact-changes.ts';
import { insertContacts, type NewIdentity, renameIdentities, updateContacts } from './save-contacts.ts';

export type Upserted = { contact_id: string; created: boolean } | { faults: Fault[] };

/**
 * Creates or updates the contact of each body, in order, as if each came alone: what an earlier one created, a later one
 * updates. A body that is refused changes nothing. New identities are inserted, then contacts are locked, then identities
 * named, each in one order whatever the order of the bodies, so that two imports of the same people cannot wait for each
 * other for ever. Whoever finds that another was faster with an identity is run again and finds it.
 */
export async function upsertContacts(
  tx: Transaction,
  clock: Clock,
  caller: Pick<Caller, 'workspace_id' | 'country'>,
  bodies: readonly ContactUpsert[],
): Promise<Upserted[]> {
  const { workspace_id } = caller;
  const vocabulary = await readVocabulary(tx, caller);
  const requests = bodies.map((body): Row | { faults: Fault[] } => {
    const [change, identities] = [readChange(body, vocabulary), readIdentities(body.identities, vocabulary.country)];
    if (change.ok && identities.ok) return { change: change.value, identities: identities.value };
    return { faults: [identities, change].flatMap((read) => (read.ok ? [] : read.faults)) };
  });
  const register = await openRegister(
    tx,
    clock,
    workspace_id,
    requests.flatMap((request) => ('faults' in request ? [] : request.identities)),
  );
  const results = requests.map((request) => ('faults' in request ? request : register.enter(request)));
  await save(tx, clock, workspace_id, register.drafts(), register.hold);
  return results;
}

/** A contact that is about to be written: what was sent for it, in order. */
interface Draft {
  id: string;
  is_new: boolean;
  changes: ContactChange[];
  added: NewIdentity[];
  /** Identities that it had, by key, with the name that was sent for them. */
  named: Map<string, { channel_type: string; identifier: string; display_name: string }>;
}

interface Row {
  change: ContactChange;
  identities: PlacedIdentity[];
}

/** Who owns which identity, in the database and by the rows entered so far. */
async function openRegister(tx: Transaction, clock: Clock, workspace_id: string, identities: readonly ReadIdentity[]) {
  const people = identities.map(({ channel_type, identifier, variants, wa_id, user_id }) => {
    return { workspace_id, channel_type, identifier, variants, wa_id, user_id };
  });
  const found = people.length > 0 ? await findBeforeCreation(tx, people) : [];
  const drafts = new Map<string, Draft>();
  const owners = new Map<string, Draft>();
  /** The spelling under which the database has an identity. */
  const spellings = new Map<string, string>();

  function draftOf(id: string, is_new: boolean): Draft {
    const draft = drafts.get(id) ?? { id, is_new, changes: [], added: [], named: new Map() };
    drafts.set(id, draft);
    return draft;
  }

  for (const [index, identity] of identities.entries()) {
    const owner = found[index];
    if (!owner) continue;
    owners.set(keyOf(identity), draftOf(owner.contact_id, false));
    spellings.set(keyOf(identity), owner.identifier);
  }
  const ownerOf = (identity: ReadIdentity): Draft | undefined =>
    owners.get(keyOf(identity)) ??
    identity.variants.map((identifier) => owners.get(keyOf({ ...identity, identifier }))).find((draft) => draft);

  function enter({ change, identities }: Row): Upserted {
    const known = identities.map(ownerOf);
    const first = known.find((draft) => draft);
    const other = known.findIndex((draft) => draft && draft !== first);
    if (other >= 0) return { faults: [belongsToOther(identities[other]!.place)] };
    const draft = first ?? draftOf(newId(clock), true);
    draft.changes.push(change);
    for (const [index, identity] of identities.entries()) {
      if (known[index]) name(draft, identity);
      else add(draft, identity);
    }
    return { contact_id: draft.id, created: first === undefined };
  }

  function add(draft: Draft, identity: ReadIdentity): void {
    const { channel_type, identifier, display_name, user_id } = identity;
    draft.added.push({ contact_id: draft.id, channel_type, identifier, display_name, user_id });
    owners.set(keyOf(identity), draft);
  }

  function name(draft: Draft, { channel_type, identifier: given, display_name, variants }: ReadIdentity): void {
    if (display_name === undefined) return;
    const added = draft.added.find(
      (identity) =>
        identity.channel_type === channel_type &&
        (identity.identifier === given || variants.includes(identity.identifier)),
    );
    if (added) added.display_name = display_name;
    const identifier = spellings.get(keyOf({ channel_type, identifier: given })) ?? given;
    if (!added) draft.named.set(keyOf({ channel_type, identifier }), { channel_type, identifier, display_name });
  }

  /** Locks the contacts that are to be changed, if they were not when they were found; they must be the same still. */
  async function hold(): Promise<void> {
    if (isComplete(found)) return;
    const known = people.flatMap((person, index) => {
      const contact_id = found[index]?.contact_id;
      return contact_id && drafts.get(contact_id)!.changes.length > 0 ? [{ person, contact_id }] : [];
    });
    if (known.length === 0) return;
    const held = await findPeople(
      tx,
      known.map(({ person }) => person),
    );
    const same = known.every(({ contact_id }, index) => held[index]?.contact_id === contact_id);
    if (!same) throw new Outdated('a contact was erased or merged into another');
  }

  return { enter, hold, drafts: () => [...drafts.values()].filter(({ changes }) => changes.length > 0) };
}

function belongsToOther(index: number): Fault {
  const detail = 'belongs to another contact than the identities before it';
  return { code: 'unprocessable_content', detail, pointer: `/identities/${index}` };
}

async function save(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  drafts: readonly Draft[],
  hold: () => Promise<void>,
): Promise<void> {
  const fresh = drafts.filter(({ is_new }) => is_new).map((draft) => withChanges(blank, draft));
  const added = drafts.flatMap((draft) => draft.added);
  if (!(await insertContacts(tx, workspace_id, fresh, added, clock.now()))) {
    throw new Outdated('another request was faster with an identity');
  }
  await hold();
  const known = new Map(drafts.filter(({ is_new }) => !is_new).map((draft) => [draft.id, draft]));
  const standing = await findContacts(tx, workspace_id, [...known.keys()]);
  const changed = standing.map((before) => ({ before, after: withChanges(before, known.get(before.id)!) }));
  await updateContacts(
    tx,
    workspace_id,
    changed.map(({ after }) => after),
    clock.now(),
  );
  await renameIdentities(
    tx,
    workspace_id,
    drafts.flatMap(({ named }) => [...named.values()]),
  );
  const all = [...fresh.map((after) => ({ before: blank, after })), ...changed];
  await tellChanges(
    tx,
    clock,
    workspace_id,
    all.map(({ before, after }) => ({ id: after.id, before, after })),
  );
}

function withChanges(fields: ContactFields, { id, changes }: Draft) {
  return { ...changes.reduce(changeContact, fields), id };
}
