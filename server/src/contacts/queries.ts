import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';

export interface StagePlace {
  id: string;
  name: string;
  /** What is left out (null) stays as it is. */
  emoji: string | null;
  position: number;
}

const upsertStages = statement(`
  insert into stages as s (workspace_id, id, name, emoji, position)
  select $1, id, name, emoji, position
  from json_to_recordset($2) as n (id uuid, name text, emoji text, position integer)
  on conflict (workspace_id, name) do update set emoji = coalesce(excluded.emoji, s.emoji), position = excluded.position
  where (s.emoji, s.position) is distinct from (coalesce(excluded.emoji, s.emoji), excluded.position)`);

/** By name. */
export async function saveStages(
  connection: Connection,
  workspace_id: string,
  stages: readonly StagePlace[],
): Promise<void> {
  if (stages.length > 0) await upsertStages(connection, [workspace_id, JSON.stringify(stages)]);
}

/** In order. */
export function listStages(connection: Connection, workspace_id: string) {
  const query = build
    .selectFrom('stages')
    .select(['id', 'name', 'emoji', 'position'])
    .where('workspace_id', '=', workspace_id)
    .orderBy('position')
    .orderBy('id');
  return run(connection, query);
}
