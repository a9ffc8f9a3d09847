import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { dispatchKinds } from '../jobs.ts';

const countJobs = statement<{ count: number }>(`
  select count(*)::int as count from jobs where kind = any ($1::text[]) and group_id = $2 and started_at is null
    and exists (select from channels c where c.workspace_id = $3 and c.id = $2)`);

/** The messages of a channel that wait for their dispatch. */
export async function countWaiting(
  connection: Connection,
  { workspace_id, channel_id }: { workspace_id: string; channel_id: string },
): Promise<number> {
  return (await countJobs(connection, [dispatchKinds, channel_id, workspace_id]))[0]!.count;
}
