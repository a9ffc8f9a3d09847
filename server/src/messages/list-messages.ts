import { sql } from 'kysely';
import type { Connection } from '../database/pool.ts';
import { build, run, runFirst } from '../database/query.ts';
import type { MessageRow } from './present.ts';

/** Newest first, from before the message `before`: ids have the order in which messages were stored. */
export function listMessages(
  connection: Connection,
  workspace_id: string,
  conversation_id: string,
  { before, count }: { before: string | undefined; count: number },
): Promise<MessageRow[]> {
  let query = selectMessages(workspace_id).where('m.conversation_id', '=', conversation_id);
  if (before) query = query.where('m.id', '<', before);
  return run(connection, query.orderBy('m.id', 'desc').limit(count));
}

export function findMessage(connection: Connection, workspace_id: string, id: string): Promise<MessageRow | undefined> {
  return runFirst(connection, selectMessages(workspace_id).where('m.id', '=', id));
}

/** The contact of the conversation is the author of its inbound messages, so a merge does not update messages. Without one, it is being erased. */
function selectMessages(workspace_id: string) {
  return build
    .selectFrom('messages as m')
    .innerJoin('conversations as c', (join) =>
      join.onRef('c.workspace_id', '=', 'm.workspace_id').onRef('c.id', '=', 'm.conversation_id'),
    )
    .where('m.workspace_id', '=', workspace_id)
    .where('c.contact_id', 'is not', null)
    .select(['m.id', 'm.conversation_id', 'm.direction', 'm.kind', 'm.body', 'm.media_id', 'm.filename', 'm.mime'])
    .select(['m.size_bytes', 'm.reply_to_id', 'm.actor_kind', 'm.status', 'm.error', 'm.created_at', 'm.deleted_at'])
    .select(
      sql<string | null>`case when m.actor_kind = 'contact' then c.contact_id else m.actor_id end`.as('actor_id'),
    );
}
