import type { Connection } from '../database/pool.ts';
import { build, run } from '../database/query.ts';
import { orderedList } from '../workspaces/ordered-list.ts';

/** The closing reasons as people and the workspace file change them. */
export const closingCategoryList = orderedList('closing_categories');

/** In the order of their positions. */
export function listClosingCategories(connection: Connection, workspace_id: string) {
  const query = build
    .selectFrom('closing_categories')
    .select(['id', 'name', 'position'])
    .where('workspace_id', '=', workspace_id)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .orderBy('id');
  return run(connection, query);
}
