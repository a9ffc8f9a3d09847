import type { Connection } from '../database/pool.ts';
import type { Caller } from '../http/authenticate.ts';
import { listCustomFields } from './custom-fields.ts';
import { listStages } from './queries.ts';
import type { Vocabulary } from './read-contact.ts';

/** The stages and custom fields that bodies of this caller may name. */
export async function readVocabulary(
  connection: Connection,
  { workspace_id, country }: Pick<Caller, 'workspace_id' | 'country'>,
): Promise<Vocabulary> {
  const [fields, stages] = await Promise.all([
    listCustomFields(connection, workspace_id),
    listStages(connection, workspace_id),
  ]);
  return {
    country: country ?? undefined,
    custom_fields: new Map(fields.map((field) => [field.key, field])),
    stage_ids: new Set(stages.map(({ id }) => id)),
  };
}
