import type { Connection } from '../../database/pool.ts';
import { build, runFirst } from '../../database/query.ts';

/** Whether the workspace has such a thing with this id; the empty one names nothing. */
export async function isKnown(
  connection: Connection,
  table: 'users' | 'teams' | 'stages' | 'closing_categories' | 'ai_agents',
  workspace_id: string,
  id: string,
): Promise<boolean> {
  if (id === '') return false;
  const query = build.selectFrom(table).select('id').where('workspace_id', '=', workspace_id).where('id', '=', id);
  return (await runFirst(connection, query)) !== undefined;
}
