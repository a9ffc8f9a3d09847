import { newId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { Clock } from '../../process/clock.ts';
import { listOutsideHours } from '../../users/working-hours.ts';
import { eventsOfLines, type RecordedLine } from '../events.ts';
import type { Actor } from './record-changes.ts';

// One statement for conversations of all workspaces. It locks the settings of a workspace before it reads the last
// assignee, so concurrent batches take different turns. Agents take turns in the order of their ids. A removal of one waits, and then
// finds the conversations that they got here.
const assign = statement<Required<Pick<RecordedLine, 'workspace_id' | 'conversation_id' | 'kind' | 'value_id'>>>(`
  with new as (
    select workspace_id, id, change_id, row_number() over (partition by workspace_id order by id) - 1 as place
    from json_to_recordset($1) as n (workspace_id uuid, id uuid, change_id uuid)
  ), turns as materialized (
    select s.workspace_id, s.last_assignee_id from conversation_settings s
    where s.workspace_id in (select workspace_id from new) and (s.assignment = 'round_robin' or $2)
    order by s.workspace_id for no key update of s
  ), available as materialized (
    select u.workspace_id, u.id, t.last_assignee_id
    from turns t join users u on u.workspace_id = t.workspace_id and u.role = 'agent' and u.available
      and u.id <> all($6)
    order by u.workspace_id, u.id for key share of u
  ), agents as (
    select workspace_id, id, count(*) over (partition by workspace_id) as agents,
      row_number() over (
        partition by workspace_id order by coalesce(id <= last_assignee_id, false), id
      ) - 1 as place
    from available
  ), chosen as (
    select n.workspace_id, n.id, n.change_id, n.place, a.id as assignee_id, b.assignee_id as former_id
    from new n join agents a on a.workspace_id = n.workspace_id and a.place = n.place % a.agents
    join conversations b on b.workspace_id = n.workspace_id and b.id = n.id
  ), last as (
    select distinct on (workspace_id) workspace_id, assignee_id from chosen order by workspace_id, place desc
  ), moved as (
    update conversation_settings s set last_assignee_id = last.assignee_id
    from last where s.workspace_id = last.workspace_id
  ), assigned as (
    update conversations c set assignee_id = chosen.assignee_id
    from chosen where c.workspace_id = chosen.workspace_id and c.id = chosen.id
    returning c.workspace_id, c.id, chosen.change_id, chosen.assignee_id, chosen.former_id
  )
  insert into conversation_changes (workspace_id, conversation_id, id, kind, actor_kind, actor_id, value_id, created_at)
  select workspace_id, id, change_id, 'assigned', $3, $4, assignee_id, $5 from assigned
  where former_id is distinct from assignee_id
  returning workspace_id, conversation_id, kind, value_id`);

/**
 * Assigns each conversation to the next available agent of its workspace, where the operator set that for new ones or
 * `always` is true. Outside of their working hours agents are not available. The transaction has locked the conversations.
 */
export async function assignRoundRobin(
  tx: Transaction,
  clock: Clock,
  conversations: readonly { workspace_id: string; id: string }[],
  { actor, always = false }: { actor: Actor; always?: boolean },
): Promise<void> {
  const rows = conversations.map(({ workspace_id, id }) => ({ workspace_id, id, change_id: newId(clock) }));
  if (rows.length === 0) return;
  const workspaces = [...new Set(rows.map(({ workspace_id }) => workspace_id))];
  const away = await listOutsideHours(tx, workspaces, clock.now());
  const lines = await assign(tx, [JSON.stringify(rows), always, actor.kind, actor.id, clock.now(), away]);
  await recordEvents(tx, clock, eventsOfLines(lines, actor));
}
