import { parseId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { Refusal } from '../../http/reply/refusal.ts';

const selectWorkspace = statement<{ id: string }>('select id from workspaces where id = $1');

/** Of a workspace that there is. */
export async function findWorkspaceId(connection: Connection, public_id: string): Promise<string | undefined> {
  const id = parseId('workspace', public_id);
  const [row] = id ? await selectWorkspace(connection, [id]) : [];
  return row?.id;
}

/** An empty list of a workspace that was misspelled would read as "nothing happened there". */
export async function getWorkspaceId(connection: Connection, public_id: string): Promise<string> {
  const id = await findWorkspaceId(connection, public_id);
  if (!id) throw new Refusal('not_found', { detail: 'There is no such workspace.' });
  return id;
}
