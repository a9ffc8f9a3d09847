import type { MergePreview } from '@majlis/console-api';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { findContacts } from '../find-contact.ts';

const count = statement<{ conversations: number; consent_records: number }>(`
  select (select count(*)::integer from conversations where workspace_id = $1 and contact_id = $2) as conversations,
    (select count(*)::integer from consent_records where workspace_id = $1 and contact_id = $2) as consent_records`);

/** What a merge would move from the source. Undefined where one of the two is no contact. */
export async function previewMerge(
  connection: Connection,
  { workspace_id, survivor_id, source_id }: { workspace_id: string; survivor_id: string; source_id: string },
): Promise<MergePreview | undefined> {
  const contacts = await findContacts(connection, workspace_id, [survivor_id, source_id]);
  const [survivor, source] = contacts;
  if (!survivor || !source || contacts.length !== 2) return undefined;
  const [counts] = await count(connection, [workspace_id, source_id]);
  return {
    identities: source.identities.length,
    tags: source.tags.filter((tag) => !survivor.tags.includes(tag)).length,
    custom_fields: Object.keys(source.custom_fields).filter((key) => !Object.hasOwn(survivor.custom_fields, key))
      .length,
    ...counts!,
  };
}
