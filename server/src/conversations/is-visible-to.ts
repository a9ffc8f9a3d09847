import { sql } from 'kysely';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { SqlCondition } from '../database/search-page.ts';

/** A condition on a row of `conversations` as `c`: it is assigned to the user, or to a team of theirs. */
export function isVisibleTo(user_id: string): SqlCondition {
  return sql<boolean>`(c.assignee_id = ${user_id}::uuid or exists (select from team_members t
    where t.workspace_id = c.workspace_id and t.team_id = c.team_id and t.user_id = ${user_id}::uuid))`;
}

const visible = `c.contact_id is not null and (c.assignee_id = $2 or exists (select from team_members t
  where t.workspace_id = c.workspace_id and t.team_id = c.team_id and t.user_id = $2))`;
const selectConversation = statement<{ found: boolean }>(`
  select true as found from conversations c where c.workspace_id = $1 and c.id = $3 and ${visible}`);
const selectOfMessage = statement<{ found: boolean }>(`
  select true as found from messages m
  join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
  where m.workspace_id = $1 and m.id = $3 and ${visible}`);
// A file that no message has is an upload on its way into one.
const selectOfMedia = statement<{ found: boolean }>(`
  select true as found where not exists (select from messages m where m.workspace_id = $1 and m.media_id = $3)
    or exists (select from messages m
      join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
      where m.workspace_id = $1 and m.media_id = $3 and ${visible})`);

export async function isConversationVisible(
  connection: Connection,
  workspace_id: string,
  user_id: string,
  id: string,
): Promise<boolean> {
  return (await selectConversation(connection, [workspace_id, user_id, id])).length > 0;
}

export async function isMessageVisible(
  connection: Connection,
  workspace_id: string,
  user_id: string,
  id: string,
): Promise<boolean> {
  return (await selectOfMessage(connection, [workspace_id, user_id, id])).length > 0;
}

export async function isMediaVisible(
  connection: Connection,
  workspace_id: string,
  user_id: string,
  id: string,
): Promise<boolean> {
  return (await selectOfMedia(connection, [workspace_id, user_id, id])).length > 0;
}
