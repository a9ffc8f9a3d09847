import type { ContactUpsert } from '@majlis/contract';
import type { WorkflowStarter } from '../../automation/trigger-workflows.ts';
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import { holdContact, ofAnotherTeam, type Principal } from '../../conversations/refuse-hidden.ts';
import { newId } from '../../database/ids.ts';
import { Outdated, type Transaction } from '../../database/transaction.ts';
import type { Caller } from '../../http/authenticate.ts';
import type { Bounds } from '../../http/body/check-bounds.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import type { ConsentOrigin } from '../consents/record-consents.ts';
import { findContacts } from '../find-contact.ts';
import {
  type Fault,
  identityKey,
  type PlacedIdentity,
  type ReadIdentity,
  readChange,
  readIdentities,
} from '../read-contact.ts';
import { readVocabulary } from '../read-vocabulary.ts';
import { blank, type ContactChange, type ContactFields, changeContact, refuseLarger, sizeOf } from '../rules.ts';
import { findBeforeCreation, findIdentities, isComplete } from './find-or-create-contacts.ts';
import { reportContactChanges } from './record-contact-changes.ts';
import { insertContacts, type NewIdentity, renameIdentities, updateContacts } from './save-contacts.ts';
import { openTagRoom } from './tag-room.ts';
import type { ContactLimits } from './update-contact.ts';

/** Who writes contacts. Without a user: one who sees all of them. */
type ContactsWriter = Pick<Caller, 'workspace_id' | 'country' | 'starts_no_workflows'> & Partial<Principal>;

export type UpsertResult = { contact_id: string; created: boolean } | { faults: Fault[] };

/**
 * Creates or updates the contact of each body in order, as if each came alone: a later body updates a contact that an
 * earlier one created. A refused body changes nothing. New identities are inserted, then contacts locked, then identities
 * named, each in one order, so that two imports of the same people cannot deadlock. Where another transaction was faster
 * with an identity, this one is run again and finds it. 404 where an identity is that of a contact whom the caller may not see.
 */
export async function upsertContacts(
  tx: Transaction,
  clock: Clock,
  caller: ContactsWriter,
  bodies: readonly ContactUpsert[],
  { limits, origin, silent }: { limits: ContactLimits; origin: ConsentOrigin; silent?: boolean },
): Promise<UpsertResult[]> {
  const { workspace_id } = caller;
  const vocabulary = await readVocabulary(tx, caller, bodies);
  const takeTags = await openTagRoom(tx, limits.quotas, workspace_id, bodies);
  const requests = await mapInSlices(bodies, (body): UpsertRequest | { faults: Fault[] } => {
    const [change, identities] = [readChange(body, vocabulary), readIdentities(body.identities, vocabulary.country)];
    if (change.ok && identities.ok) {
      const faults = takeTags(body.tags);
      return faults.length > 0 ? { faults } : { change: change.value, identities: identities.value };
    }
    return { faults: [identities, change].flatMap((read) => (read.ok ? [] : read.faults)) };
  });
  const identities = requests.flatMap((request) => ('faults' in request ? [] : request.identities));
  const register = await openRegister(tx, clock, workspace_id, identities);
  const results = requests.map((request) => ('faults' in request ? request : register.enter(request)));
  const drafts = register.drafts();
  await saveDrafts(tx, clock, workspace_id, {
    drafts,
    async lockKnown() {
      await register.lock();
      const known = drafts.filter(({ is_new }) => !is_new);
      for (const { id } of known) await holdContact(tx, { user_id: null, ...caller }, id, ofAnotherTeam);
    },
    bounds: limits.bounds,
    origin,
    by: caller,
    silent,
  });
  return results;
}

/** A contact that is about to be written, with the changes of all bodies in order. */
interface ContactDraft {
  id: string;
  is_new: boolean;
  changes: ContactChange[];
  added: NewIdentity[];
  /** Display names for stored identities, by key. */
  named: Map<string, { channel_type: string; identifier: string; display_name: string }>;
}

interface UpsertRequest {
  change: ContactChange;
  identities: PlacedIdentity[];
}

/** The owners of identities, in the database and by the bodies entered so far. */
async function openRegister(tx: Transaction, clock: Clock, workspace_id: string, identities: readonly ReadIdentity[]) {
  const people = identities.map(({ channel_type, identifier, variants, wa_id, user_id }) => {
    return { workspace_id, channel_type, identifier, variants, wa_id, user_id };
  });
  const found = people.length > 0 ? await findBeforeCreation(tx, people) : [];
  const drafts = new Map<string, ContactDraft>();
  const owners = new Map<string, ContactDraft>();
  /** The stored spelling of each identity. */
  const spellings = new Map<string, string>();

  function draftOf(id: string, is_new: boolean): ContactDraft {
    const draft = drafts.get(id) ?? { id, is_new, changes: [], added: [], named: new Map() };
    drafts.set(id, draft);
    return draft;
  }

  for (const [index, identity] of identities.entries()) {
    const owner = found[index];
    if (!owner) continue;
    owners.set(identityKey(identity), draftOf(owner.contact_id, false));
    spellings.set(identityKey(identity), owner.identifier);
  }
  const ownerOf = (identity: ReadIdentity): ContactDraft | undefined =>
    owners.get(identityKey(identity)) ??
    identity.variants.map((identifier) => owners.get(identityKey({ ...identity, identifier }))).find((draft) => draft);

  function enter({ change, identities }: UpsertRequest): UpsertResult {
    const known = identities.map(ownerOf);
    const first = known.find((draft) => draft);
    const other = known.findIndex((draft) => draft && draft !== first);
    if (other >= 0) return { faults: [belongsToOther(identities[other]!.place)] };
    const draft = first ?? draftOf(newId(clock), true);
    draft.changes.push(change);
    for (const [index, identity] of identities.entries()) {
      if (known[index]) setDisplayName(draft, identity);
      else addIdentity(draft, identity);
    }
    return { contact_id: draft.id, created: first === undefined };
  }

  function addIdentity(draft: ContactDraft, identity: ReadIdentity): void {
    const { channel_type, identifier, display_name, user_id } = identity;
    draft.added.push({ contact_id: draft.id, channel_type, identifier, display_name, user_id });
    owners.set(identityKey(identity), draft);
  }

  function setDisplayName(draft: ContactDraft, identity: ReadIdentity): void {
    const { channel_type, display_name, variants } = identity;
    if (display_name === undefined) return;
    const names = [identity.identifier, ...variants];
    const added = draft.added.find((one) => one.channel_type === channel_type && names.includes(one.identifier));
    if (added) added.display_name = display_name;
    const identifier = spellings.get(identityKey(identity)) ?? identity.identifier;
    if (!added) draft.named.set(identityKey({ channel_type, identifier }), { channel_type, identifier, display_name });
  }

  /** Locks the contacts that change, unless the search has locked them. Their identities must have the same owners. */
  async function lock(): Promise<void> {
    if (isComplete(found)) return;
    const known = people.flatMap((person, index) => {
      const contact_id = found[index]?.contact_id;
      return contact_id && drafts.get(contact_id)!.changes.length > 0 ? [{ ...person, contact_id }] : [];
    });
    const locked = known.length > 0 ? await findIdentities(tx, known) : [];
    const isSame = known.every(({ contact_id }, index) => locked[index]?.contact_id === contact_id);
    if (!isSame) throw new Outdated('a contact was erased or merged into another');
  }

  return { enter, lock, drafts: () => [...drafts.values()].filter(({ changes }) => changes.length > 0) };
}

function belongsToOther(index: number): Fault {
  const detail = 'belongs to another contact than the identities before it';
  return { code: 'unprocessable_content', detail, pointer: `/identities/${index}` };
}

interface SaveDrafts {
  drafts: readonly ContactDraft[];
  lockKnown: () => Promise<void>;
  bounds: Bounds;
  origin: ConsentOrigin;
  by: WorkflowStarter;
  /** Without events and workflows, for a history of the past. */
  silent: boolean | undefined;
}

async function saveDrafts(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  { drafts, lockKnown, bounds, origin, by, silent }: SaveDrafts,
): Promise<void> {
  for (const draft of drafts) refuseLargeDraft(draft, bounds);
  const created = drafts.filter(({ is_new }) => is_new).map((draft) => applyChanges(blank, draft));
  const added = drafts.flatMap((draft) => draft.added);
  if (!(await insertContacts(tx, workspace_id, created, added, clock.now()))) {
    throw new Outdated('another request was faster with an identity');
  }
  await lockKnown();
  const known = new Map(drafts.filter(({ is_new }) => !is_new).map((draft) => [draft.id, draft]));
  const stored = await findContacts(tx, workspace_id, [...known.keys()]);
  const updated = await mapInSlices(stored, (before) => {
    const draft = known.get(before.id)!;
    const after = applyChanges(before, draft);
    const fault = refuseLarger(before, { ...after, identities: [...before.identities, ...draft.added] }, bounds);
    if (fault) throw invalid(fault);
    return { before, after };
  });
  const rows = updated.map(({ after }) => after);
  await updateContacts(tx, workspace_id, rows, clock.now());
  const named = drafts.flatMap((draft) => [...draft.named.values()]);
  await renameIdentities(tx, workspace_id, named);
  const widened = updated.map((one) => ({ ...one, has_new_identity: known.get(one.before.id)!.added.length > 0 }));
  const changed = [...created.map((after) => ({ before: blank, after, is_new: true })), ...widened];
  await reportContactChanges(tx, clock, workspace_id, changed, { origin, by, silent });
}

/** Before its changes are joined: each of thousands of rows would copy what the rows before it added. */
function refuseLargeDraft({ changes, added }: ContactDraft, bounds: Bounds): void {
  const size = changes.reduce((sum, change) => sum + sizeOf(change), 0);
  if (size + JSON.stringify(added).length <= bounds.document) return;
  throw invalid({ detail: `would give a contact more than ${bounds.document} characters in all`, pointer: '' });
}

function applyChanges(fields: ContactFields, { id, changes }: ContactDraft) {
  return { ...changes.reduce(changeContact, fields), id };
}
