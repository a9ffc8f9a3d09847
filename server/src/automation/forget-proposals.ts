import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

/** Deletes proposals that came to nothing a month ago, every hour. */
export const forgetProposals = 'automation.forget_proposals';

const atOnce = 1_000;

const deleteOld = statement<{ count: number }>(`
  with old as materialized (
    select workspace_id, id from proposals
    where ended_at < $1 and state not in ('waiting', 'accepted') order by ended_at limit $2 for update skip locked
  ), gone as (
    delete from proposals p using old where p.workspace_id = old.workspace_id and p.id = old.id returning p.id
  )
  select count(*)::int as count from gone`);

export async function deleteEndedProposals(connection: Connection, before: Date): Promise<void> {
  while ((await deleteOld(connection, [before, atOnce]))[0]!.count === atOnce);
}
