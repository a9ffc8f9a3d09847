import type pg from 'pg';

const connections = 16;

// The rows of one accepted send, in one prepared statement and one transaction.
const sendText = `
  with message as (
    insert into messages
      (workspace_id, id, conversation_id, channel_id, direction, kind, body, status, recipient, created_at)
    values ($1, gen_random_uuid(), $2, $3, 'outbound', 'text', $5, 'queued', '+96891000001', now())
    returning id
  ), conversation as (
    update conversations set last_message_at = now(), unread_count = 0 where workspace_id = $1 and id = $2
  )
  insert into jobs (kind, group_id, queue_key, payload, run_at)
  select 'bench.floor', $3, $2, json_build_object('workspace_id', $4::text, 'message_id', id)::text, now() from message`;

// The rows of one inbound message, without the stored notification.
const inboundText = `
  with message as (
    insert into messages
      (workspace_id, id, conversation_id, channel_id, direction, kind, body, platform_message_id, content, created_at)
    values ($1, gen_random_uuid(), $2, $3, 'inbound', 'text', $5, gen_random_uuid()::text, '{"platform_type":"text"}', now())
    returning id
  ), conversation as (
    update conversations set last_message_at = now(), last_customer_at = now(), unread_count = unread_count + 1,
      window_expires_at = now() + interval '1 day'
    where workspace_id = $1 and id = $2
    returning contact_id
  ), contact as (
    update contacts set last_activity_at = now() from conversation where workspace_id = $1 and id = contact_id
  )
  insert into events (workspace_id, id, type, payload, created_at)
  select $1, gen_random_uuid(), 'message.received', json_build_object('workspace_id', $4::text, 'id', id)::text, now()
  from message`;

/** Transactions a second that write the rows of one send each, from 16 connections. */
export function measureSendFloor(db: pg.Pool, seconds: number): Promise<number> {
  return measure(db, seconds, 'send', sendText);
}

/** The same for the rows of one inbound message. */
export function measureInboundFloor(db: pg.Pool, seconds: number): Promise<number> {
  return measure(db, seconds, 'inbound', inboundText);
}

async function measure(db: pg.Pool, seconds: number, name: string, text: string): Promise<number> {
  const { rows } = await db.query('select workspace_id, id, channel_id from conversations');
  const end = performance.now() + seconds * 1000;
  let written = 0;
  async function keepWriting(): Promise<void> {
    const client = await db.connect();
    while (performance.now() < end) {
      const { workspace_id, id, channel_id } = rows[Math.floor(Math.random() * rows.length)];
      const values = [workspace_id, id, channel_id, workspace_id, 'Your order is ready, come and fetch it.'];
      await client.query({ name, text, values });
      written++;
    }
    client.release();
  }
  await Promise.all(Array.from({ length: connections }, keepWriting));
  await db.query('truncate messages, jobs, events cascade');
  return written / seconds;
}
