import type { Tag } from '@majlis/contract';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

// Some 20 rows a tag, however many contacts have it.
const select = statement<Tag>(`
  select name, sum(change)::integer as contacts from tag_changes where workspace_id = $1
  group by name having sum(change) <> 0 order by name`);

/** Every tag of the workspace, with its number of contacts. */
export function listTags(connection: Connection, workspace_id: string): Promise<Tag[]> {
  return select(connection, [workspace_id]);
}
