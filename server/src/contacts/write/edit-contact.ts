import { isDeepStrictEqual } from 'node:util';
import type { ContactValues } from '@majlis/console-api';
import type { ContactBefore } from '@majlis/console-api/before';
import type { ContactUpdate } from '@majlis/contract';
import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { findContact } from '../find-contact.ts';
import { type ContactRow, presentContact } from '../present.ts';
import { requireLockedContact } from './require-locked-contact.ts';
import { openTagRoom } from './tag-room.ts';
import { type ContactLimits, type ContactWriter, updateContact } from './update-contact.ts';

interface ContactEdit {
  expected?: ContactValues;
  changes?: ContactValues;
  add_tags?: string[];
  remove_tags?: string[];
}

/**
 * A change that a person makes of what they see. Where a value differs from the one that they began with, nothing changes: two
 * people who edit one contact overwrite nothing of each other (danger C11). Tags come one by one, so they need no comparison. The
 * person is told what stood before, for the undo.
 */
export async function editContact(
  tx: Transaction,
  clock: Clock,
  caller: ContactWriter,
  id: string,
  { expected = {}, changes = {}, add_tags = [], remove_tags = [] }: ContactEdit,
  limits: ContactLimits,
): Promise<{ row: ContactRow; told_before: ContactBefore }> {
  await openTagRoom(tx, limits.quotas, caller.workspace_id, [{ tags: add_tags }]);
  await requireLockedContact(tx, caller, id);
  const before = (await findContact(tx, caller.workspace_id, id))!;
  if (!hasStill(before, expected)) throw new Refusal('changed_meanwhile');
  const kept = before.tags.filter((tag) => !remove_tags.includes(tag));
  const tags = add_tags.length + remove_tags.length > 0 ? { tags: [...kept, ...add_tags] } : {};
  // A member of null has no value: the contract's body says so of the stage alone.
  const row = await updateContact(tx, clock, caller, id, { ...changes, ...tags } as ContactUpdate, limits);
  return { row, told_before: { had_tags: add_tags.map((tag) => before.tags.includes(tag)) } };
}

function hasStill(before: ContactRow, { custom_fields = {}, ...members }: ContactValues): boolean {
  const shown: Record<string, unknown> = { ...presentContact(before) };
  const same = (now: unknown, then: unknown) => isDeepStrictEqual(now ?? null, then ?? null);
  return (
    Object.entries(members).every(([name, value]) => same(shown[name], value)) &&
    Object.entries(custom_fields).every(([key, value]) => same(before.custom_fields[key], value))
  );
}
