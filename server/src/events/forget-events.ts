import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

// By their ids, which begin with the moment they were made at: the key finds them. The created_at of an event is that
// moment or a little later.
const deleteOld = statement<{ id: string }>(`
  delete from events e using (
    select id from events
    where workspace_id = $1 and id < (lpad(to_hex($3::bigint), 12, '0') || repeat('0', 20))::uuid
    order by id limit $2
  ) as old
  where e.workspace_id = $1 and e.id = old.id
  returning e.id`);

/** Deletes up to so many events of a workspace that are older than that; answers how many. */
export async function forgetEvents(
  connection: Connection,
  { workspace_id, before, limit }: { workspace_id: string; before: Date; limit: number },
): Promise<number> {
  return (await deleteOld(connection, [workspace_id, limit, before.getTime()])).length;
}
