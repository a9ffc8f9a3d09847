import type { RunningService } from './start-test-service.ts';

/** Gives a conversation more messages and events than an erasure deletes in one transaction. Each contains the text. */
export async function addLongHistory(
  { sql }: Pick<RunningService, 'sql'>,
  conversation_id: string,
  text: string,
): Promise<void> {
  await sql(
    `insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, status, created_at)
     select workspace_id, gen_random_uuid(), id, channel_id, 'outbound', 'text', $2, 'read', now()
     from conversations, generate_series(1, 11000) where id = $1`,
    [conversation_id, text],
  );
  await sql(
    `insert into events (workspace_id, id, type, payload, conversation_id, created_at)
     select workspace_id, gen_random_uuid(), 'message.received', $2, id, now()
     from conversations, generate_series(1, 6000) where id = $1`,
    [conversation_id, text],
  );
}

/** Locks the message of the conversation that an erasure deletes last. */
export const lockOldestMessage = (conversation_id: string) =>
  `select from messages where conversation_id = '${conversation_id}' order by id limit 1 for update`;
