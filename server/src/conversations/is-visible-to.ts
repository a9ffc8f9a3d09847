import { sql } from 'kysely';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { SqlCondition } from '../database/search-page.ts';

/** A condition in the text of a statement: the conversation is assigned to the user, or to a team of theirs. */
export const isOf = (user: string, c: string) => `(${c}.assignee_id = ${user} or exists (select from team_members t
  where t.workspace_id = ${c}.workspace_id and t.team_id = ${c}.team_id and t.user_id = ${user}))`;

/** A condition on a row of `conversations` as `c`: it is assigned to the user, or to a team of theirs. */
export function isVisibleTo(user_id: string): SqlCondition {
  return sql<boolean>`(c.assignee_id = ${user_id}::uuid or exists (select from team_members t
    where t.workspace_id = c.workspace_id and t.team_id = c.team_id and t.user_id = ${user_id}::uuid))`;
}

/** A condition on a row of `contacts` as `c`: the user sees one of its conversations, or it has none. */
export function isContactVisibleTo(user_id: string): SqlCondition {
  const seen = sql`select from conversations c where c.workspace_id = k.workspace_id and c.contact_id = k.id`;
  return sql<boolean>`exists (select from (select c.workspace_id, c.id) k
    where not exists (${seen}) or exists (${seen} and ${isVisibleTo(user_id)}))`;
}

/** Objects of a workspace that a user asks for. All ids are UUIDs. */
export interface WantedObjects {
  workspace_id: string;
  user_id: string;
  conversation_id?: string | undefined;
  contact_id?: string | undefined;
  message_id?: string | undefined;
  media_id?: string | undefined;
}

const visible = `c.contact_id is not null and ${isOf('w.user_id', 'c')}`;

// What shows a file: a message, or one that was to be sent or decided on. A decision makes no file an upload on its way again.
const holders = `(
      select m.workspace_id, m.conversation_id from messages m where m.workspace_id = w.workspace_id and m.media_id = w.media_id
      union all
      select s.workspace_id, s.conversation_id from scheduled_messages s
      where s.workspace_id = w.workspace_id and s.media_id = w.media_id
      union all
      select p.workspace_id, p.conversation_id from proposals p
      where p.workspace_id = w.workspace_id and p.media_id = w.media_id
    ) h`;

// A file that nothing shows is an upload on its way. Nobody has begun a conversation with a contact that has none.
const selectHidden = statement<{ n: number }>(`
  select w.n from json_to_recordset($1) as w
    (n integer, workspace_id uuid, user_id uuid, conversation_id uuid, contact_id uuid, message_id uuid, media_id uuid)
  where w.conversation_id is not null and not exists (select from conversations c
      where c.workspace_id = w.workspace_id and c.id = w.conversation_id and ${visible})
    or w.contact_id is not null and exists (select from conversations c
      where c.workspace_id = w.workspace_id and c.contact_id = w.contact_id)
      and not exists (select from conversations c
        where c.workspace_id = w.workspace_id and c.contact_id = w.contact_id and ${visible})
    or w.message_id is not null and not exists (select from messages m
      join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
      where m.workspace_id = w.workspace_id and m.id = w.message_id and ${visible})
    or w.media_id is not null and exists (select from ${holders})
      and not exists (select from ${holders}
        join conversations c on c.workspace_id = h.workspace_id and c.id = h.conversation_id where ${visible})`);

/** The indices of those who ask for an object that is hidden from a user who is limited to own teams. */
export async function findHidden(connection: Connection, wanted: readonly WantedObjects[]): Promise<Set<number>> {
  if (wanted.length === 0) return new Set();
  const rows = await selectHidden(connection, [JSON.stringify(wanted.map((one, n) => ({ ...one, n })))]);
  return new Set(rows.map(({ n }) => n));
}
