import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';

const upsertStages = statement(`
  insert into stages as s (workspace_id, id, name, emoji, position)
  select $1, id, name, emoji, position
  from json_to_recordset($2) as n (id uuid, name text, emoji text, position integer)
  on conflict (workspace_id, name) do update set emoji = coalesce(excluded.emoji, s.emoji), position = excluded.position
  where (s.emoji, s.position) is distinct from (coalesce(excluded.emoji, s.emoji), excluded.position)`);

/** Inserts or updates stages by name. A null emoji leaves the stored one. */
export async function saveStages(
  connection: Connection,
  workspace_id: string,
  stages: readonly { id: string; name: string; emoji: string | null; position: number }[],
): Promise<void> {
  if (stages.length > 0) await upsertStages(connection, [workspace_id, JSON.stringify(stages)]);
}

/** In the order of their positions. */
export function listStages(connection: Connection, workspace_id: string) {
  const query = build
    .selectFrom('stages')
    .select(['id', 'name', 'emoji', 'position'])
    .where('workspace_id', '=', workspace_id)
    .orderBy('position')
    .orderBy('id');
  return run(connection, query);
}
