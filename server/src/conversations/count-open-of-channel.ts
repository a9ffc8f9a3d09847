import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

const countOpen = statement<{ count: number }>(`
  select count(*)::int as count from conversations
  where workspace_id = $1 and channel_id = $2 and status = 'open' and contact_id is not null`);

export async function countOpenOfChannel(
  connection: Connection,
  { workspace_id, channel_id }: { workspace_id: string; channel_id: string },
): Promise<number> {
  return (await countOpen(connection, [workspace_id, channel_id]))[0]!.count;
}
