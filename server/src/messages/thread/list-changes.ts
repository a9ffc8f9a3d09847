import type { ThreadChange } from '@majlis/console-api';
import { sql } from 'kysely';
import type { ThreadReport } from '../../conversations/change/thread-report.ts';
import type { Connection } from '../../database/pool.ts';
import { run } from '../../database/query.ts';
import { boundsOf, type ThreadOf, type ThreadStretch } from './list-thread.ts';

/** A change of a conversation, with the names of its line. */
export interface ThreadChangeRow {
  id: string;
  kind: ThreadChange['kind'];
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  value_id: string | null;
  value_name: string | null;
  /** Of `handed_over`: what the value is. */
  is_workflow: boolean;
  controller: string | null;
  until: Date | null;
  reason: string | null;
  summary: string | null;
  report: ThreadReport | null;
  created_at: Date;
}

/** The changes of a stretch, from the nearest on. Names are those of now. */
export function listChanges(
  connection: Connection,
  { workspace_id, conversation_id }: ThreadOf,
  { count, ...stretch }: ThreadStretch,
): Promise<ThreadChangeRow[]> {
  const { from, order } = boundsOf(stretch);
  const changes = sql`select * from conversation_changes m
    where m.workspace_id = ${workspace_id} and m.conversation_id = ${conversation_id} ${from}
    order by m.id ${order} limit ${count}`;
  return run(
    connection,
    sql<ThreadChangeRow>`
    select m.id, m.kind, m.actor_kind, case when m.actor_kind = 'contact' then c.contact_id else m.actor_id end as actor_id,
      case m.actor_kind when 'user' then ${nameOf('users', 'actor_id')} when 'api_key' then ${nameOf('users', 'actor_id')}
        when 'workflow' then ${nameOf('workflows', 'actor_id')} when 'ai_agent' then ${nameOf('ai_agents', 'actor_id')}
        end as actor_name,
      m.value_id,
      case m.kind when 'assigned' then ${nameOf('users', 'value_id')} when 'team_assigned' then ${nameOf('teams', 'value_id')}
        when 'stage_set' then ${nameOf('stages', 'value_id')}
        when 'handed_over' then coalesce(${nameOf('ai_agents', 'value_id')}, ${nameOf('workflows', 'value_id')})
        end as value_name,
      m.kind = 'handed_over' and m.value_id is not null and exists (
        select from workflows w where w.workspace_id = m.workspace_id and w.id = m.value_id) as is_workflow,
      m.controller, m.until, ${nameOf('closing_categories', 'reason_id')} as reason, m.summary, m.report, m.created_at
    from (${changes}) m
    join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id and c.contact_id is not null
    order by m.id ${order}`,
  );
}

type Named = 'users' | 'teams' | 'stages' | 'workflows' | 'ai_agents' | 'closing_categories';

// A look-up by key: a join would let the planner read a whole table for a page.
const nameOf = (table: Named, column: 'actor_id' | 'value_id' | 'reason_id') =>
  sql`(select name from ${sql.table(table)} a where a.workspace_id = m.workspace_id and a.id = m.${sql.ref(column)})`;
