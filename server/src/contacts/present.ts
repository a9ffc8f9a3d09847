import type { Contact } from '@majlis/contract';
import { publicId } from '../database/ids.ts';
import type { ContactFields } from './rules.ts';

/** A row of `contacts` with its identities, the oldest first. */
export interface ContactRow extends ContactFields {
  id: string;
  identities: { channel_type: string; identifier: string; display_name: string | null }[];
  dialect: string | null;
  consents: Contact['consents'];
  last_activity_at: Date | null;
}

/** Members without a value are left out. */
export function presentContact(row: ContactRow): Contact {
  const shown: Contact = {
    id: publicId('contact', row.id),
    identities: row.identities.map(({ channel_type, identifier, display_name }) => ({
      channel_type: channel_type as Contact['identities'][number]['channel_type'],
      identifier,
      ...(display_name !== null && { display_name }),
    })),
    vip: row.vip,
    blocked: row.blocked,
    tags: row.tags,
    consents: row.consents,
    custom_fields: row.custom_fields,
  };
  if (row.name !== null) shown.name = row.name;
  if (row.email !== null) shown.email = row.email;
  if (row.language !== null) shown.language = row.language;
  if (row.dialect !== null) shown.dialect = row.dialect;
  if (row.stage_id !== null) shown.stage_id = publicId('stage', row.stage_id);
  if (row.last_activity_at !== null) shown.last_activity_at = row.last_activity_at.toISOString();
  return shown;
}
