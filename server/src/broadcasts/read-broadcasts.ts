import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { cancelledReason } from '../messages/rules.ts';
import type { BroadcastStatus } from './queries.ts';

export interface BroadcastRow {
  id: string;
  name: string;
  channel_id: string;
  template_name: string;
  template_language: string;
  tags: string[] | null;
  stage_id: string | null;
  status: BroadcastStatus;
  send_at: Date;
  created_by: string | null;
  created_at: Date;
  paused_at: Date | null;
  paused_by: string | null;
  /** Recipients: all, waiting, refused before acceptance, replied. */
  total: number;
  waiting: number;
  refused: number;
  replied: number;
  /** Messages by current status. */
  queued: number;
  sent: number;
  delivered: number;
  read: number;
  failed: number;
}

// Counted from the rows by index at each read: stored counts could differ from them. Those of rows that the retention deleted are
// added.
const counted = (chosen: string) => `
  select b.id, b.name, b.channel_id, b.template_name, b.template_language, b.tags, b.stage_id, b.status, b.send_at,
    b.created_by, b.created_at, b.paused_at, b.paused_by, r.*, m.*
  from (${chosen}) b
  left join deleted_recipient_counts d on d.workspace_id = b.workspace_id and d.broadcast_id = b.id
  cross join lateral (
    select count(*)::int + coalesce(d.recipients, 0) as total, count(*) filter (where status = 'waiting')::int as waiting,
      count(*) filter (where status = 'refused')::int as refused,
      count(*) filter (where replied_at is not null)::int + coalesce(d.replied, 0) as replied
    from broadcast_recipients where workspace_id = b.workspace_id and broadcast_id = b.id
  ) r
  cross join lateral (
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'sent')::int + coalesce(d.sent, 0) as sent,
      count(*) filter (where status = 'delivered')::int + coalesce(d.delivered, 0) as delivered,
      count(*) filter (where status = 'read')::int + coalesce(d.read, 0) as read,
      count(*) filter (where status = 'failed')::int + coalesce(d.failed, 0) as failed
    from messages where workspace_id = b.workspace_id and broadcast_id = b.id
  ) m`;

const selectOne = statement<BroadcastRow>(counted('select * from broadcasts where workspace_id = $1 and id = $2'));

export async function findBroadcast(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<BroadcastRow | undefined> {
  return (await selectOne(connection, [workspace_id, id]))[0];
}

const selectKnown = statement<{ id: string }>('select id from broadcasts where workspace_id = $1 and id = $2');

/** Reads no counts, as `findBroadcast` does. */
export async function hasBroadcast(connection: Connection, workspace_id: string, id: string): Promise<boolean> {
  return (await selectKnown(connection, [workspace_id, id])).length > 0;
}

const selectPage = statement<BroadcastRow>(
  `${counted(`select * from broadcasts where workspace_id = $1 and ($2::uuid is null or id < $2)
     order by id desc limit $3`)}
   order by b.id desc`,
);

/** Newest first, after `before`. */
export function listBroadcasts(
  connection: Connection,
  workspace_id: string,
  { before, count }: { before: string | undefined; count: number },
): Promise<BroadcastRow[]> {
  return selectPage(connection, [workspace_id, before ?? null, count]);
}

export interface RecipientRow {
  position: number;
  identifier: string;
  params: string[];
  status: string;
  error: string | null;
  message_id: string | null;
}

// A recipient still waiting at the cancellation reads as refused, without a write.
const selectRecipients = statement<RecipientRow>(`
  select r.position, r.identifier, r.params, r.message_id,
    case when b.status = 'cancelled' and r.status = 'waiting' then 'refused' else coalesce(m.status, r.status) end as status,
    case when b.status = 'cancelled' and r.status = 'waiting' then $5 else coalesce(m.error, r.error) end as error
  from broadcast_recipients r
  join broadcasts b on b.workspace_id = r.workspace_id and b.id = r.broadcast_id
  left join messages m on m.workspace_id = r.workspace_id and m.id = r.message_id
  where r.workspace_id = $1 and r.broadcast_id = $2 and r.position > $3
  order by r.position limit $4`);

/** In order, after the position `after`, each with its status. */
export function listRecipients(
  connection: Connection,
  workspace_id: string,
  broadcast_id: string,
  { after, count }: { after: number; count: number },
): Promise<RecipientRow[]> {
  return selectRecipients(connection, [workspace_id, broadcast_id, after, count, cancelledReason]);
}
