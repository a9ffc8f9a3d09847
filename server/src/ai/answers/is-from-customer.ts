import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';

const select = statement(`
  select from messages where workspace_id = $1 and media_id = $2 and direction = 'inbound' limit 1`);

/** Whether a contact sent this file. */
export async function isFromCustomer(connection: Connection, workspace_id: string, media_id: string): Promise<boolean> {
  return (await select(connection, [workspace_id, media_id])).length > 0;
}
