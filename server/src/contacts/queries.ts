import type { Connection } from '../database/pool.ts';
import { build, run } from '../database/query.ts';
import { orderedList } from '../workspaces/ordered-list.ts';

/** The stages as people and the workspace file change them. */
export const stageList = orderedList('stages');

/** In the order of their positions. */
export function listStages(connection: Connection, workspace_id: string) {
  const query = build
    .selectFrom('stages')
    .select(['id', 'name', 'emoji', 'position'])
    .where('workspace_id', '=', workspace_id)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .orderBy('id');
  return run(connection, query);
}
