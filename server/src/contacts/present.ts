import type { Contact } from '@majlis/contract';
import { publicId } from '../database/ids.ts';

/** A row of `contacts` with its identities, the oldest first. */
export interface ContactRow {
  id: string;
  name: string | null;
  identities: { channel_type: string; identifier: string; display_name: string | null }[];
  email: string | null;
  language: string | null;
  dialect: string | null;
  vip: boolean;
  blocked: boolean;
  tags: string[];
  stage_id: string | null;
  consents: Contact['consents'];
  custom_fields: Record<string, unknown>;
  last_activity_at: Date | null;
}

/** What has no value is left out. */
export function presentContact(row: ContactRow): Contact {
  return {
    id: publicId('ct', row.id),
    ...(row.name !== null && { name: row.name }),
    identities: row.identities.map(({ channel_type, identifier, display_name }) => ({
      channel_type: channel_type as Contact['identities'][number]['channel_type'],
      identifier,
      ...(display_name !== null && { display_name }),
    })),
    ...(row.email !== null && { email: row.email }),
    ...(row.language !== null && { language: row.language }),
    ...(row.dialect !== null && { dialect: row.dialect }),
    vip: row.vip,
    blocked: row.blocked,
    tags: row.tags,
    ...(row.stage_id !== null && { stage_id: publicId('', row.stage_id) }),
    consents: row.consents,
    custom_fields: row.custom_fields,
    ...(row.last_activity_at !== null && { last_activity_at: row.last_activity_at.toISOString() }),
  };
}
