import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';

const upsertClosingCategories = statement(`
  insert into closing_categories as c (workspace_id, id, name, position)
  select $1, id, name, position from json_to_recordset($2) as n (id uuid, name text, position integer)
  on conflict (workspace_id, name) do update set position = excluded.position
  where c.position <> excluded.position`);

/** Inserts or updates closing reasons by name. */
export async function saveClosingCategories(
  connection: Connection,
  workspace_id: string,
  categories: readonly { id: string; name: string; position: number }[],
): Promise<void> {
  if (categories.length > 0) await upsertClosingCategories(connection, [workspace_id, JSON.stringify(categories)]);
}

/** In the order of their positions. */
export function listClosingCategories(connection: Connection, workspace_id: string) {
  const query = build
    .selectFrom('closing_categories')
    .select(['id', 'name', 'position'])
    .where('workspace_id', '=', workspace_id)
    .orderBy('position')
    .orderBy('id');
  return run(connection, query);
}
