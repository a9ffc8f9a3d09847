import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { OutboundContent } from '../platform/outbound-message.ts';
import type { Pricing } from '../workspaces/prices/pricing.ts';
import type { MessageRow } from './present.ts';

export interface NewMessage extends MessageRow {
  workspace_id: string;
  channel_id: string;
  direction: 'inbound' | 'outbound';
  recipient: string | null;
  content: OutboundContent | object | null;
  platform_message_id?: string | undefined;
  broadcast_id?: string;
  /** A template outside an open window. */
  initiates?: boolean;
  /** Its place in a free allowance. */
  allowance_category?: string;
  allowance_month?: string;
}

const columns = `workspace_id, id, conversation_id, channel_id, direction, kind, body, media_id, filename, mime, size_bytes,
  reply_to_id, actor_kind, actor_id, status, error, recipient, content, platform_message_id, broadcast_id, allowance_category, allowance_month, created_at`;

const insertNew = statement<{ id: string }>(`
  insert into messages (${columns}, initiates)
  select ${columns}, coalesce(initiates, false) from json_populate_recordset(null::messages, $1)
  order by channel_id, platform_message_id, id
  on conflict (channel_id, platform_message_id) where platform_message_id is not null do nothing
  returning id`);

/**
 * Returns the ids of the inserted messages: one that the platform reported before stays as it is. Inserted in one order, so
 * that two batches with the same reports cannot deadlock.
 */
export async function insertMessages(connection: Connection, messages: readonly NewMessage[]): Promise<Set<string>> {
  if (messages.length === 0) return new Set();
  const rows = await insertNew(connection, [JSON.stringify(messages)]);
  return new Set(rows.map((row) => row.id));
}

/**
 * Whether another message of the channel of `m` has the platform's id. The index of these ids has no workspace. `offset 0` keeps the
 * condition for it out of the look-up: by statistics of small workspaces, PostgreSQL would read all messages of a large one.
 */
const isTaken = (platform_id: string) => `exists (select from (
    select o.workspace_id from messages o where o.channel_id = m.channel_id and o.platform_message_id = ${platform_id} offset 0
  ) taken where taken.workspace_id = m.workspace_id)`;

// A message that failed for an unknown outcome keeps the mark, so that a status of the platform can lift the failure.
const setPlatformIds = statement(`
  with new as (
    select * from json_to_recordset($1) as n
      (workspace_id uuid, id uuid, platform_message_id text, dispatched_at timestamptz, accepted_at timestamptz)
  ), locked as materialized (
    select m.workspace_id, m.id, n.platform_message_id, n.dispatched_at, n.accepted_at from messages m join new n using (workspace_id, id)
    where m.platform_message_id is null
    order by m.workspace_id, m.id
    for no key update of m
  )
  update messages m set platform_message_id = n.platform_message_id, dispatched_at = n.dispatched_at,
    platform_accepted_at = n.accepted_at,
    outcome_unknown = m.outcome_unknown and m.status = 'failed'
  from locked n
  where m.workspace_id = n.workspace_id and m.id = n.id
    and not ${isTaken('n.platform_message_id')}`);

export interface AcceptedMessage {
  workspace_id: string;
  id: string;
  platform_message_id: string;
  /** The point of no return of the call. */
  dispatched_at?: Date;
  /** The moment of the platform's answer. */
  accepted_at?: Date;
}

/**
 * Stores the platform's ids of these messages; an id of another message stays there. Rows are locked in the same order as
 * for statuses.
 */
export async function adoptPlatformIds(connection: Connection, ids: readonly AcceptedMessage[]): Promise<void> {
  if (ids.length > 0) await setPlatformIds(connection, [JSON.stringify(ids)]);
}

export interface StatusChange {
  workspace_id: string;
  id: string;
  status: string;
  error: string | null;
  outcome_unknown: boolean;
  pricing: Pricing | null;
  /** The platform's id, where it was not known; an id of another message stays there. */
  adopted_id?: string | undefined;
  dispatched_at?: Date | undefined;
  sent_at?: Date | undefined;
  delivered_at?: Date | undefined;
  read_at?: Date | undefined;
  failed_at?: Date | undefined;
  /** It failed, so its place in a free allowance is another's. */
  leaves_place?: boolean | undefined;
}

// In one statement: a second update of a row locks its conversation again, which an erasure that waits for the row may
// have locked.
const updateStatuses = statement(`
  update messages m set status = n.status, error = n.error, outcome_unknown = n.outcome_unknown, pricing = n.pricing,
    dispatched_at = coalesce(n.dispatched_at, m.dispatched_at), sent_at = coalesce(n.sent_at, m.sent_at),
    delivered_at = coalesce(n.delivered_at, m.delivered_at), read_at = coalesce(n.read_at, m.read_at),
    failed_at = coalesce(n.failed_at, m.failed_at),
    allowance_category = case when n.leaves_place then null else m.allowance_category end,
    allowance_month = case when n.leaves_place then null else m.allowance_month end,
    platform_message_id = case
      when n.adopted_id is null or ${isTaken('n.adopted_id')} then m.platform_message_id else n.adopted_id end
  from json_to_recordset($1) as n
    (workspace_id uuid, id uuid, status text, error text, outcome_unknown boolean, pricing json, adopted_id text,
     dispatched_at timestamptz, sent_at timestamptz, delivered_at timestamptz, read_at timestamptz, failed_at timestamptz,
     leaves_place boolean)
  where m.workspace_id = n.workspace_id and m.id = n.id`);

export async function setStatuses(connection: Connection, changes: readonly StatusChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change) => {
    const { workspace_id, id, status, error, outcome_unknown, pricing, adopted_id } = change;
    const { dispatched_at, sent_at, delivered_at, read_at, failed_at } = change;
    const times = { dispatched_at, sent_at, delivered_at, read_at, failed_at };
    const { leaves_place } = change;
    return { workspace_id, id, status, error, outcome_unknown, pricing, adopted_id, leaves_place, ...times };
  });
  await updateStatuses(connection, [JSON.stringify(rows)]);
}

const markUnknown = statement(`
  update messages set outcome_unknown = true
  where workspace_id = $1 and id = $2 and platform_message_id is null and status = 'queued'`);

/** Marks the outcome of the call as unknown, until a status of the platform or the end of the reconcile window. */
export async function setOutcomeUnknown(connection: Connection, workspace_id: string, id: string): Promise<void> {
  await markUnknown(connection, [workspace_id, id]);
}
