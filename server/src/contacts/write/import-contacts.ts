import { type ContactImport, type ContactImportResult, ContactUpsert } from '@majlis/contract';
import { Compile } from 'typebox/compile';
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import type { Transaction } from '../../database/transaction.ts';
import { type Bounds, findBoundFault } from '../../http/body/check-bounds.ts';
import { knownMembers } from '../../http/known-members.ts';
import type { Clock } from '../../process/clock.ts';
import { originOf } from '../consents/record-consents.ts';
import type { Fault } from '../read-contact.ts';
import type { ContactLimits, ContactWriter } from './update-contact.ts';
import { upsertContacts } from './upsert-contacts.ts';

const row = Compile(ContactUpsert);

/** Upserts the valid rows in order, and reports each invalid row with a code. */
export async function importContacts(
  tx: Transaction,
  clock: Clock,
  caller: ContactWriter,
  { contacts }: ContactImport,
  limits: ContactLimits,
): Promise<ContactImportResult> {
  const read = await mapInSlices(contacts, (contact, index): [number, ContactUpsert][] =>
    isValid(contact, limits.bounds) ? [[index, knownMembers(ContactUpsert, contact)]] : [],
  );
  const valid = read.flat();
  const bodies = valid.map(([, body]) => body);
  const upserted = await upsertContacts(tx, clock, caller, bodies, { limits, origin: originOf(caller, 'import') });
  const results = new Map(valid.map(([index], place) => [index, upserted[place]!]));
  const counts = { created: 0, updated: 0 };
  const failed: ContactImportResult['failed'] = [];
  for (const index of contacts.keys()) {
    const result = results.get(index);
    if (result && 'contact_id' in result) counts[result.created ? 'created' : 'updated'] += 1;
    else failed.push({ index, code: codeOf(result?.faults ?? []) });
  }
  return { ...counts, failed };
}

function isValid(contact: unknown, bounds: Bounds): contact is ContactUpsert {
  return !findBoundFault(ContactUpsert, contact, bounds) && row.Check(contact);
}

function codeOf(faults: readonly Fault[]): Fault['code'] {
  return faults.some(({ code }) => code === 'invalid_phone') ? 'invalid_phone' : 'unprocessable_content';
}
