import type { Connection } from '../database/pool.ts';
import { build, run, runFirst } from '../database/query.ts';
import type { MessageRow } from './present.ts';

/** Newest first, from behind the message `before` on: ids are in the order in which messages were stored. */
export function listMessages(
  connection: Connection,
  workspace_id: string,
  conversation_id: string,
  { before, count }: { before: string | undefined; count: number },
): Promise<MessageRow[]> {
  let query = select(workspace_id).where('m.conversation_id', '=', conversation_id);
  if (before) query = query.where('m.id', '<', before);
  return run(connection, query.orderBy('m.id', 'desc').limit(count));
}

export function findMessage(connection: Connection, workspace_id: string, id: string): Promise<MessageRow | undefined> {
  return runFirst(connection, select(workspace_id).where('m.id', '=', id));
}

/** What a contact wrote is by whoever the contact is now: a merge leaves the messages untouched, be they a hundred thousand. */
function select(workspace_id: string) {
  return build
    .selectFrom('messages as m')
    .innerJoin('conversations as c', (join) =>
      join.onRef('c.workspace_id', '=', 'm.workspace_id').onRef('c.id', '=', 'm.conversation_id'),
    )
    .where('m.workspace_id', '=', workspace_id)
    .select(['m.id', 'm.conversation_id', 'm.direction', 'm.kind', 'm.body', 'm.media_id', 'm.filename', 'm.mime'])
    .select(['m.size_bytes', 'm.reply_to_id', 'm.actor_kind', 'm.status', 'm.error', 'm.created_at'])
    .select((of) =>
      of
        .case()
        .when('m.actor_kind', '=', 'contact')
        .then(of.ref('c.contact_id'))
        .else(of.ref('m.actor_id'))
        .end()
        .as('actor_id'),
    );
}
