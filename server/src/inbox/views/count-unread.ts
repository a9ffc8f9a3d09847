import { mostCounted } from '@majlis/console-api';
import { sql } from 'kysely';
import type { Viewer } from '../../conversations/require-conversation.ts';
import { lowestIdAt } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { runFirst, statement } from '../../database/query.ts';
import { rangesOf } from './view-ranges.ts';

const selectJoined = statement<{ joined_at: Date | null }>(
  'select joined_at from users where workspace_id = $1 and id = $2',
);

/** How many of the latest open conversations that are the person's or nobody's have messages that the person has not read. */
export async function countUnread(connection: Connection, viewer: Viewer, now: Date): Promise<number> {
  const { workspace_id, user_id } = viewer;
  const [user] = await selectJoined(connection, [workspace_id, user_id]);
  const joined = lowestIdAt(user?.joined_at ?? new Date(0));
  const none = lowestIdAt(new Date(0));
  const own = rangesOf({ name: 'mine' }, viewer, { now, count: mostCounted });
  const unassigned = rangesOf({ name: 'unassigned' }, viewer, { now, count: mostCounted });
  const query = sql<{ conversations: number }>`
    select count(*)::integer as conversations
    from (select * from ${own} c union all select * from ${unassigned} c) c
    left join read_marks r on r.workspace_id = c.workspace_id and r.conversation_id = c.id and r.user_id = ${user_id}
    where c.last_customer_message_id >
      case when r.user_id is null then ${joined}::uuid else coalesce(r.last_read_message_id, ${none}::uuid) end`;
  return (await runFirst(connection, query))!.conversations;
}
