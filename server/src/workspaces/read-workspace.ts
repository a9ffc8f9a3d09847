import type { Connection } from '../database/pool.ts';
import { build, runFirst } from '../database/query.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { WorkspaceRow } from './present.ts';

export async function getWorkspace(connection: Connection, id: string): Promise<WorkspaceRow> {
  const query = build
    .selectFrom('workspaces')
    .select(['id', 'name', 'industry', 'country', 'timezone', 'language', 'plan'])
    .where('id', '=', id);
  const row = await runFirst(connection, query);
  if (!row) throw new Refusal('not_found');
  return row;
}
