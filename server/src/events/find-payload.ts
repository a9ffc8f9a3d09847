import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

const selectPayload = statement<{ payload: string }>('select payload from events where workspace_id = $1 and id = $2');

/** The body of an event as receivers get it; undefined for an unknown or erased one. */
export async function findPayload(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<string | undefined> {
  return (await selectPayload(connection, [workspace_id, id]))[0]?.payload;
}
