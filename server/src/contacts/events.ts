import { isDeepStrictEqual } from 'node:util';
import { publicId } from '../database/ids.ts';
import type { NewEvent } from '../events/record-events.ts';

interface ContactRef {
  workspace_id: string;
  id: string;
}

// The values are not in the events: a receiver reads them, so that an event of a contact holds no personal data.
const contactEvent = (type: NewEvent['type'], { workspace_id, id }: ContactRef, members: object = {}): NewEvent => ({
  workspace_id,
  type,
  data: { contact: { id: publicId('contact', id) }, ...members },
  contact_id: id,
});

export function contactCreated(contact: ContactRef): NewEvent {
  return contactEvent('contact.created', contact);
}

const members = [
  'name',
  'email',
  'language',
  'vip',
  'blocked',
  'tags',
  'stage_id',
  'consents',
  'custom_fields',
] as const;
type Members = { [Name in (typeof members)[number]]?: unknown };

/** None where nothing changed. */
export function contactUpdated(
  contact: ContactRef,
  { before, after, more = [] }: { before: Members; after: Members; more?: readonly string[] },
): NewEvent[] {
  const changed = [...members.filter((name) => !isDeepStrictEqual(before[name], after[name])), ...more];
  return changed.length === 0 ? [] : [contactEvent('contact.updated', contact, { changed })];
}

export function contactMerged(contact: ContactRef, source_id: string): NewEvent {
  return contactEvent('contact.merged', contact, { source_contact_id: publicId('contact', source_id) });
}

/** It outlives the erasure, so it belongs to no contact. */
export function contactErased(contact: ContactRef): NewEvent {
  const { contact_id: _, ...event } = contactEvent('contact.erased', contact);
  return event;
}
