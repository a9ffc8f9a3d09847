import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';

const block = statement('update contacts set blocked = true where workspace_id = $1 and id = any($2) and not blocked');

/** Blocks contacts that this transaction created from another system: they were blocked there. */
export async function blockImported(connection: Connection, workspace_id: string, ids: readonly string[]) {
  if (ids.length > 0) await block(connection, [workspace_id, ids]);
}
