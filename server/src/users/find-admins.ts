import type { Connection } from '../database/pool.ts';
import { build, run } from '../database/query.ts';

/** The ids of the admins and owners, who get the e-mail about a disabled endpoint. */
export async function findAdmins(connection: Connection, workspace_id: string): Promise<string[]> {
  const query = build
    .selectFrom('users')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('role', 'in', ['admin', 'owner'])
    .where('removed_at', 'is', null)
    .orderBy('id');
  return (await run(connection, query)).map(({ id }) => id);
}
