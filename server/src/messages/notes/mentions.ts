import { isOf } from '../../conversations/is-visible-to.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';

/** A teammate whom a note names. */
export interface Mention {
  workspace_id: string;
  message_id: string;
  user_id: string;
}

const insertRows = statement(`
  insert into note_mentions (workspace_id, message_id, user_id, created_at)
  select workspace_id, message_id, user_id, $2
  from json_to_recordset($1) as n (workspace_id uuid, message_id uuid, user_id uuid)`);

export async function insertMentions(connection: Connection, mentions: readonly Mention[], now: Date): Promise<void> {
  if (mentions.length > 0) await insertRows(connection, [JSON.stringify(mentions), now]);
}

/** The values in the e-mail about a mention. */
export interface MentionDetails {
  email: string;
  created_at: Date;
  conversation_id: string;
  body: string;
  author: string | null;
  workspace_name: string;
  contact_name: string | null;
}

const selectDetails = statement<MentionDetails>(`
  select u.email, n.created_at, m.conversation_id, m.body, a.name as author, w.name as workspace_name,
    c.name as contact_name
  from note_mentions n
  join workspaces w on w.id = n.workspace_id
  join users u on u.workspace_id = n.workspace_id and u.id = n.user_id
  join messages m on m.workspace_id = n.workspace_id and m.id = n.message_id
  join conversations cv on cv.workspace_id = m.workspace_id and cv.id = m.conversation_id
  join contacts c on c.workspace_id = cv.workspace_id and c.id = cv.contact_id
  left join users a on a.workspace_id = m.workspace_id and a.id = m.actor_id
  where n.workspace_id = $1 and n.message_id = $2 and n.user_id = $3 and u.removed_at is null
    and (not u.own_teams_only or ${isOf('u.id', 'cv')})`);

/** Undefined where the note was erased, where own teams hide its conversation from the teammate, and where they were removed. */
export async function findMention(connection: Connection, mention: Mention): Promise<MentionDetails | undefined> {
  return (await selectDetails(connection, [mention.workspace_id, mention.message_id, mention.user_id]))[0];
}
