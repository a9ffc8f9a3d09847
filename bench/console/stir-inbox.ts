import type pg from 'pg';

/**
 * Changes of a busy team, published by the triggers of the service: of ten changes, six are messages of customers, three are
 * statuses of messages of the business and one is an assignment. Answers the position of the last one in the live feed.
 */
export async function stirInbox(db: pg.Pool, workspace_id: string): Promise<(count: number) => Promise<number>> {
  const ids = await columnOf(db, 'select id from conversations where workspace_id = $1', [workspace_id]);
  const open = await columnOf(db, `select id from conversations where workspace_id = $1 and status = 'open'`, [
    workspace_id,
  ]);
  const users = await columnOf(db, 'select id from users where workspace_id = $1', [workspace_id]);
  const some = (from: readonly string[], count: number) =>
    Array.from({ length: count }, () => from[Math.floor(Math.random() * from.length)]!);
  return async (count) => {
    // Most events are about conversations at work.
    const busy = [...some(open, count * 0.4), ...some(ids, count * 0.2)];
    await receive(db, workspace_id, [...new Set(busy)]);
    await db.query(
      `update messages m set status = case m.status when 'read' then 'delivered' else 'read' end
       from (select distinct last_business_message_id as id from conversations
             where workspace_id = $1 and id = any($2::uuid[])) c
       where m.workspace_id = $1 and m.id = c.id`,
      [workspace_id, some(open, count * 0.3)],
    );
    await db.query(
      `update conversations c set assignee_id = n.user_id
       from (select distinct on (id) * from unnest($2::uuid[], $3::uuid[]) n (id, user_id)) n
       where c.workspace_id = $1 and c.id = n.id`,
      [workspace_id, some(open, count * 0.1), some(users, count * 0.1)],
    );
    // The reader of the service gives each change its position.
    for (;;) {
      const [waiting] = (
        await db.query(
          `select position, exists (select from live_changes where position is null) as waits from live_feed`,
        )
      ).rows;
      if (!waiting.waits) return Number(waiting.position);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
}

async function receive(db: pg.Pool, workspace_id: string, ids: readonly string[]): Promise<void> {
  await db.query(
    `with stored as (
       insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, actor_kind, created_at)
       select workspace_id, uuidv7(), id, channel_id, 'inbound', 'text', 'Is it still there? ' || random(), 'contact', now()
       from conversations where workspace_id = $1 and id = any($2::uuid[]) returning id, conversation_id)
     update conversations c set status = 'open', last_message_at = now(), last_customer_at = now(),
       last_customer_message_id = stored.id, window_expires_at = now() + interval '1 day'
     from stored where c.workspace_id = $1 and c.id = stored.conversation_id`,
    [workspace_id, ids],
  );
}

async function columnOf(db: pg.Pool, text: string, values: unknown[]): Promise<string[]> {
  return (await db.query(text, values)).rows.map(({ id }) => id);
}
