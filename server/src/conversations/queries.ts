import type { NotNull } from 'kysely';
import { build, run, runFirst, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { assignRoundRobin } from './change/assign-round-robin.ts';

/** A message of the business in a conversation. */
export interface OutboundActivity {
  workspace_id: string;
  conversation_id: string;
  message_id: string;
  at: Date;
  /** Whether it also reopens a closed conversation. */
  reopens: boolean;
  /** Whether it was written to this customer, rather than a broadcast. */
  is_reply: boolean;
}

// Rows are locked in one order before they change, so batches that share conversations cannot deadlock. The lock is a
// statement of its own: one that locks and updates would read the row version from before the wait, and would wait for the
// lock on that old version too.
const lockInOrder = statement(`
  select from conversations c
  join (select distinct * from unnest($1::uuid[], $2::uuid[]) as k (workspace_id, id)) n using (workspace_id, id)
  order by c.workspace_id, c.id for no key update of c`);

function lockConversations(tx: Transaction, activities: readonly { workspace_id: string; conversation_id: string }[]) {
  const workspaces = activities.map(({ workspace_id }) => workspace_id);
  return lockInOrder(tx, [workspaces, activities.map(({ conversation_id }) => conversation_id)]);
}

// PostgreSQL has no max(uuid) before version 18; text has the same order.
const lastMessage = 'max(message_id::text)::uuid as message_id';

const touchOutbound = statement(`
  with new as (
    select * from json_to_recordset($1) as n
      (workspace_id uuid, conversation_id uuid, message_id uuid, at timestamptz, reopens boolean, is_reply boolean)
  ), latest as (
    select workspace_id, conversation_id, ${lastMessage}, max(at) as at, bool_or(reopens) as reopens,
      max(at) filter (where is_reply) as replied_at
    from new group by 1, 2
  )
  update conversations c set
    last_message_at = greatest(c.last_message_at, l.at),
    last_business_message_id = greatest(c.last_business_message_id, l.message_id),
    first_response_at = coalesce(c.first_response_at, case when c.first_customer_at <= l.replied_at then l.replied_at end),
    unread_count = case when l.replied_at is null then c.unread_count else 0 end,
    status = case when l.reopens then 'open' else c.status end,
    reopened_at = case when l.reopens and c.status = 'closed' then l.at else c.reopened_at end
  from latest l where c.workspace_id = l.workspace_id and c.id = l.conversation_id and c.contact_id is not null`);

/** Records messages of the business: the conversation rises in the list, and a reply resets its unread count. */
export async function touchByBusiness(tx: Transaction, activities: readonly OutboundActivity[]): Promise<void> {
  if (activities.length === 0) return;
  // One row has no order, so a send alone needs no lock before its update.
  const isOne = activities.every(({ conversation_id }) => conversation_id === activities[0]!.conversation_id);
  await Promise.all([isOne || lockConversations(tx, activities), touchOutbound(tx, [JSON.stringify(activities)])]);
}

/** A message of the customer, stored `at`, written `written_at`. */
export interface InboundActivity {
  workspace_id: string;
  conversation_id: string;
  message_id: string;
  at: Date;
  written_at: Date;
  /** The end of the window that it opens; null where it opens none. */
  window_expires_at: Date | null;
  /** The identity that wrote it. */
  identifier: string;
}

// Returns the unassigned conversations with a first message of the customer, where an agent is available. The check costs
// one look-up by index for each such conversation.
const touchInbound = statement<{ workspace_id: string; id: string }>(`
  with new as (
    select * from json_to_recordset($1) as n
      (workspace_id uuid, conversation_id uuid, message_id uuid, at timestamptz, written_at timestamptz,
        window_expires_at timestamptz, identifier text)
  ), latest as (
    select workspace_id, conversation_id, ${lastMessage}, max(at) as at, max(written_at) as written_at,
      max(window_expires_at) as window_expires_at, count(*) as messages,
      (array_agg(identifier order by written_at desc))[1] as identifier
    from new group by 1, 2
  ), before as materialized (
    select l.*, c.assignee_id is null and c.last_customer_at is null as is_unclaimed
    from latest l join conversations c on c.workspace_id = l.workspace_id and c.id = l.conversation_id
  ), touched as (
  update conversations c set
    last_message_at = greatest(c.last_message_at, l.at),
    last_customer_at = greatest(c.last_customer_at, l.written_at),
    last_customer_message_id = greatest(c.last_customer_message_id, l.message_id),
    first_customer_at = least(c.first_customer_at, l.at),
    -- A concurrent reply may have updated the row first.
    first_response_at = coalesce(c.first_response_at, case when c.first_customer_at is null
      and c.last_business_message_id > l.message_id then greatest(c.last_message_at, l.at) end),
    window_expires_at = greatest(c.window_expires_at, l.window_expires_at),
    -- The identity may have moved to another contact since the message came.
    identifier = case when c.last_customer_at > l.written_at or not exists (
      select from contact_identities i where i.workspace_id = c.workspace_id and i.channel_type = c.channel_type
        and i.identifier = l.identifier and i.contact_id = c.contact_id) then c.identifier else l.identifier end,
    unread_count = c.unread_count + l.messages,
    status = 'open',
    reopened_at = case when c.status = 'closed' then l.at else c.reopened_at end,
    snoozed_until = null
  from before l
  where c.workspace_id = l.workspace_id and c.id = l.conversation_id and c.contact_id is not null
  returning c.workspace_id, c.id, l.is_unclaimed
  )
  select workspace_id, id from touched
  where is_unclaimed and exists (
    select from users u where u.workspace_id = touched.workspace_id and u.role = 'agent' and u.available)`);

/** Records messages of the customer: opens the conversation, ends a snooze, extends the window, and assigns an agent. */
export async function touchByCustomer(tx: Transaction, activities: readonly InboundActivity[]): Promise<void> {
  if (activities.length === 0) return;
  const touched = [lockConversations(tx, activities), touchInbound(tx, [JSON.stringify(activities)])] as const;
  const [, unassigned] = await Promise.all(touched);
  await assignRoundRobin(tx, unassigned);
}

/** A conversation that this transaction has locked. */
export interface LockedConversation {
  workspace_id: string;
  id: string;
  contact_id: string;
  channel_id: string;
  status: string;
  stage_id: string | null;
  controller: string;
  /** The bot in control, if any: the workflow run, or else the AI agent. */
  workflow_run_id: string | null;
  ai_agent_id: string | null;
}

export function lockConversation(
  tx: Transaction,
  workspace_id: string,
  id: string,
): Promise<LockedConversation | undefined> {
  const query = build
    .selectFrom('conversations')
    .select(['workspace_id', 'id', 'contact_id', 'channel_id', 'status', 'stage_id', 'controller'])
    .select(['workflow_run_id', 'ai_agent_id'])
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .where('contact_id', 'is not', null)
    .$narrowType<{ contact_id: NotNull }>()
    .forNoKeyUpdate();
  return runFirst(tx, query);
}

/** The columns that operations of the contract set. */
export interface ConversationChange {
  status?: 'open' | 'closed';
  reopened_at?: Date;
  stage_id?: string | null;
  assignee_id?: string | null;
  team_id?: string | null;
  controller?: 'human' | 'bot';
  ai_agent_id?: string | null;
  workflow_run_id?: string | null;
  snoozed_until?: Date;
}

export async function updateConversation(
  tx: Transaction,
  { workspace_id, id }: LockedConversation,
  change: ConversationChange,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const query = build.updateTable('conversations').set(change);
  await run(tx, query.where('workspace_id', '=', workspace_id).where('id', '=', id));
}

const resetCount = statement<{ id: string }>(`
  update conversations set unread_count = 0
  where workspace_id = $1 and id = $2 and unread_count > 0 and last_customer_message_id <= $3 returning id`);

/**
 * A person has read up to this message: where it is the customer's last one or later, the team has seen all. Returns whether
 * the count changed.
 */
export async function resetUnread(
  tx: Transaction,
  { workspace_id, id, read_message_id }: { workspace_id: string; id: string; read_message_id: string },
): Promise<boolean> {
  return (await resetCount(tx, [workspace_id, id, read_message_id])).length > 0;
}

const unassign = statement(`
  update conversations set assignee_id = null where workspace_id = $1 and assignee_id = $2 and status = 'open'`);

/** Open conversations of a former member wait for another assignee. */
export async function unassignConversations(tx: Transaction, workspace_id: string, user_id: string): Promise<void> {
  await unassign(tx, [workspace_id, user_id]);
}
