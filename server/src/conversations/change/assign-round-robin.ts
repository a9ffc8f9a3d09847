import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';

// One statement for conversations of all workspaces. It locks the settings of a workspace before it reads the last
// assignee, so concurrent batches take different turns. Agents take turns in the order of their ids.
const assign = statement(`
  with new as (
    select workspace_id, id, row_number() over (partition by workspace_id order by id) - 1 as place
    from json_to_recordset($1) as n (workspace_id uuid, id uuid)
  ), turns as materialized (
    select s.workspace_id, s.last_assignee_id from conversation_settings s
    where s.workspace_id in (select workspace_id from new) and (s.assignment = 'round_robin' or $2)
    order by s.workspace_id for no key update of s
  ), agents as (
    select u.workspace_id, u.id, count(*) over (partition by u.workspace_id) as agents,
      row_number() over (
        partition by u.workspace_id order by coalesce(u.id <= t.last_assignee_id, false), u.id
      ) - 1 as place
    from turns t join users u on u.workspace_id = t.workspace_id and u.role = 'agent' and u.available
  ), chosen as (
    select n.workspace_id, n.id, n.place, a.id as assignee_id
    from new n join agents a on a.workspace_id = n.workspace_id and a.place = n.place % a.agents
  ), last as (
    select distinct on (workspace_id) workspace_id, assignee_id from chosen order by workspace_id, place desc
  ), moved as (
    update conversation_settings s set last_assignee_id = last.assignee_id
    from last where s.workspace_id = last.workspace_id
  )
  update conversations c set assignee_id = chosen.assignee_id
  from chosen where c.workspace_id = chosen.workspace_id and c.id = chosen.id`);

/**
 * Assigns each conversation to the next available agent of its workspace, where the operator set that for new ones or
 * `always` is true. The transaction has locked the conversations.
 */
export async function assignRoundRobin(
  tx: Transaction,
  conversations: readonly { workspace_id: string; id: string }[],
  always = false,
): Promise<void> {
  const rows = conversations.map(({ workspace_id, id }) => ({ workspace_id, id }));
  if (rows.length > 0) await assign(tx, [JSON.stringify(rows), always]);
}
