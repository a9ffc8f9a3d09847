import type { ChannelType, ContactUpsert } from '@majlis/contract';
import type { ConsentOrigin } from '../../contacts/consents/record-consents.ts';
import { type Fault, type PlacedIdentity, readIdentities } from '../../contacts/read-contact.ts';
import { blockImported } from '../../contacts/write/block-imported.ts';
import { findIdentities } from '../../contacts/write/find-or-create-contacts.ts';
import { upsertContacts } from '../../contacts/write/upsert-contacts.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Caller } from '../../http/authenticate.ts';
import type { Resources } from '../../process/resources.ts';
import type { HistoryContact, HistoryResult } from './history-import.ts';

/** A contact of this service, and the contacts of the other system that it is. */
export interface PlacedContact {
  contact_id: string;
  identifier: string;
  entries: HistoryContact[];
}

interface Entry {
  index: number;
  entry: HistoryContact;
  identity: PlacedIdentity;
}

type Failed = HistoryResult['failed'];

const origin: ConsentOrigin = { source: 'import', actor_kind: 'system' };

/** Finds the contacts by their numbers, and creates the missing ones without events. Known contacts stay as they are. */
export async function placeContacts(
  tx: Transaction,
  resources: Pick<Resources, 'clock' | 'config'>,
  caller: Pick<Caller, 'workspace_id' | 'country'>,
  { channel_type, contacts }: { channel_type: ChannelType; contacts: readonly HistoryContact[] },
): Promise<{ placed: PlacedContact[]; counts: HistoryResult['contacts']; failed: Failed }> {
  const { workspace_id } = caller;
  const failed: Failed = [];
  const entries = contacts.flatMap((entry, index): Entry[] => {
    const read = readIdentities([{ channel_type, identifier: entry.phone }], caller.country ?? undefined);
    if (read.ok) return [{ index, entry, identity: read.value[0]! }];
    failed.push(failureOf(index, read.faults));
    return [];
  });
  const people = entries.map(({ identity: { identifier, variants, wa_id } }) => {
    return { workspace_id, channel_type, identifier, variants, wa_id };
  });
  const found = people.length > 0 ? await findIdentities(tx, people) : [];
  const missing = entries.filter((_, place) => !found[place]);
  const created = await createMissing(tx, resources, caller, { missing, failed });
  const counts = { created: 0, known: 0 };
  const placed = new Map<string, PlacedContact>();
  for (const [place, { index, entry, identity }] of entries.entries()) {
    const made = created.get(index);
    const contact_id = found[place]?.contact_id ?? made?.contact_id;
    if (contact_id === undefined) continue;
    counts[made?.created ? 'created' : 'known'] += 1;
    const { identifier } = found[place] ?? identity;
    const contact = placed.get(contact_id) ?? { contact_id, identifier, entries: [] };
    contact.entries.push(entry);
    placed.set(contact_id, contact);
  }
  const blocked = entries.filter(({ index, entry }) => entry.blocked && created.get(index)?.created);
  await blockImported(
    tx,
    workspace_id,
    blocked.map(({ index }) => created.get(index)!.contact_id),
  );
  return { placed: [...placed.values()], counts, failed };
}

/** A value that is refused, such as an address without a domain, must not cost a contact its history. */
async function createMissing(
  tx: Transaction,
  { clock, config }: Pick<Resources, 'clock' | 'config'>,
  caller: Pick<Caller, 'workspace_id' | 'country'>,
  { missing, failed }: { missing: readonly Entry[]; failed: Failed },
) {
  const made = new Map<number, { contact_id: string; created: boolean }>();
  const options = { limits: config, origin, silent: true };
  let left = missing;
  for (const bodyOf of [wholeBody, plainBody]) {
    if (left.length === 0) break;
    const results = await upsertContacts(tx, clock, caller, left.map(bodyOf), options);
    const refused: Entry[] = [];
    for (const [place, result] of results.entries()) {
      const entry = left[place]!;
      if ('contact_id' in result) made.set(entry.index, result);
      else if (bodyOf === wholeBody) refused.push(entry);
      else failed.push(failureOf(entry.index, result.faults));
    }
    left = refused;
  }
  return made;
}

function wholeBody(entry: Entry): ContactUpsert {
  const { email, tags, custom_fields } = entry.entry;
  const more = { ...(email && { email }), ...(tags && { tags }), ...(custom_fields && { custom_fields }) };
  return { ...plainBody(entry), ...more };
}

function plainBody({ entry: { name }, identity: { channel_type, identifier } }: Entry): ContactUpsert {
  return { identities: [{ channel_type: channel_type as ChannelType, identifier }], ...(name && { name }) };
}

function failureOf(index: number, [fault]: readonly Fault[]): Failed[number] {
  return { index, code: fault!.code, detail: `${fault!.pointer} ${fault!.detail}` };
}
