import { lowestIdAt } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

// The primary key finds old events, because ids begin with the time of their creation. An event's created_at is that time
// or a little later.
const deleteOld = statement<{ id: string }>(`
  delete from events e using (
    select id from events
    where workspace_id = $1 and id < $3
    order by id limit $2
  ) as old
  where e.workspace_id = $1 and e.id = old.id
  returning e.id`);

/** Deletes a limited number of events of a workspace that are older than a moment. Answers the number. */
export async function forgetEvents(
  connection: Connection,
  { workspace_id, before, limit }: { workspace_id: string; before: Date; limit: number },
): Promise<number> {
  return (await deleteOld(connection, [workspace_id, limit, lowestIdAt(before)])).length;
}
