import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { OutboundContent } from '../platform/types.ts';
import type { Pricing } from '../workspaces/pricing.ts';

export interface NewMessage {
  workspace_id: string;
  id: string;
  conversation_id: string;
  channel_id: string;
  direction: 'inbound' | 'outbound';
  kind: string;
  body: string | null;
  media_id?: string | null;
  filename?: string | null;
  mime?: string | null;
  size_bytes?: number | null;
  reply_to_id: string | null;
  actor_kind: string | null;
  actor_id: string | null;
  status: string | null;
  error?: string | null;
  recipient: string | null;
  content: OutboundContent | object | null;
  platform_message_id?: string;
  broadcast_id?: string;
  /** A template outside an open window. */
  initiates?: boolean;
  created_at: Date;
}

const columns = `workspace_id, id, conversation_id, channel_id, direction, kind, body, media_id, filename, mime, size_bytes,
  reply_to_id, actor_kind, actor_id, status, error, recipient, content, platform_message_id, broadcast_id, created_at`;

const insertMessages = statement<{ id: string }>(`
  insert into messages (${columns}, initiates)
  select ${columns}, coalesce(initiates, false) from json_populate_recordset(null::messages, $1)
  order by channel_id, platform_message_id, id
  on conflict (channel_id, platform_message_id) where platform_message_id is not null do nothing
  returning id`);

/**
 * Answers the ids of those that are new: a message that the platform has reported before stays as it is. Inserted in one
 * order, so that two batches with the same reports cannot wait for each other.
 */
export async function insert(connection: Connection, messages: readonly NewMessage[]): Promise<Set<string>> {
  if (messages.length === 0) return new Set();
  const rows = await insertMessages(connection, [JSON.stringify(messages)]);
  return new Set(rows.map((row) => row.id));
}

export interface PlatformId {
  workspace_id: string;
  id: string;
  platform_message_id: string;
}

// A message that failed because its outcome was unknown can still be lifted by any word of the platform.
const setPlatformIds = statement(`
  with new as (
    select * from json_to_recordset($1) as n (workspace_id uuid, id uuid, platform_message_id text)
  ), locked as materialized (
    select m.workspace_id, m.id, n.platform_message_id from messages m join new n using (workspace_id, id)
    where m.platform_message_id is null
    order by m.workspace_id, m.id
    for no key update of m
  )
  update messages m set platform_message_id = n.platform_message_id,
    outcome_unknown = m.outcome_unknown and m.status = 'failed'
  from locked n
  where m.workspace_id = n.workspace_id and m.id = n.id
    and not exists (select from messages o
      where o.channel_id = m.channel_id and o.platform_message_id = n.platform_message_id)`);

/**
 * Remembers under which id the platform knows these messages; an id that another message bears stays there. Rows are
 * locked in the order in which statuses lock them.
 */
export async function adoptPlatformIds(connection: Connection, ids: readonly PlatformId[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = ids.map(({ workspace_id, id, platform_message_id }) => ({ workspace_id, id, platform_message_id }));
  await setPlatformIds(connection, [JSON.stringify(rows)]);
}

export interface StatusChange {
  workspace_id: string;
  id: string;
  status: string;
  error: string | null;
  outcome_unknown: boolean;
  pricing: Pricing | null;
  /** The platform's id, where it was not known; one that another message bears stays there. */
  adopted_id?: string | undefined;
}

// In one statement: a row that is changed twice in a transaction asks for its conversation again, which an erasure that
// waits for the row may hold.
const updateStatuses = statement(`
  update messages m set status = n.status, error = n.error, outcome_unknown = n.outcome_unknown, pricing = n.pricing,
    platform_message_id = case
      when n.adopted_id is null or exists (select from messages o
        where o.channel_id = m.channel_id and o.platform_message_id = n.adopted_id) then m.platform_message_id
      else n.adopted_id end
  from json_to_recordset($1) as n
    (workspace_id uuid, id uuid, status text, error text, outcome_unknown boolean, pricing json, adopted_id text)
  where m.workspace_id = n.workspace_id and m.id = n.id`);

export async function setStatuses(connection: Connection, changes: readonly StatusChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ workspace_id, id, status, error, outcome_unknown, pricing, adopted_id }) => {
    return { workspace_id, id, status, error, outcome_unknown, pricing, adopted_id };
  });
  await updateStatuses(connection, [JSON.stringify(rows)]);
}

const markUnknown = statement(`
  update messages set outcome_unknown = true
  where workspace_id = $1 and id = $2 and platform_message_id is null and status = 'queued'`);

/** Nobody knows whether the platform took this message; only the platform's word or the reconcile window ends this. */
export async function setOutcomeUnknown(connection: Connection, workspace_id: string, id: string): Promise<void> {
  await markUnknown(connection, [workspace_id, id]);
}
