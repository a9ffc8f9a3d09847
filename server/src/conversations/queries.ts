import { build, run, runFirst, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { assignByTurns, type Unassigned } from './change/assign-round-robin.ts';

/** A message of the business in a conversation, by its own time. */
export interface OutboundActivity {
  workspace_id: string;
  conversation_id: string;
  message_id: string;
  at: Date;
  /** Whether it also reopens a closed conversation. */
  reopens: boolean;
  /** Whether it was written to this customer, and not to many at once. */
  is_reply: boolean;
}

// Rows are locked in one order before they are changed: batches that share conversations wait, they do not deadlock. By
// a statement of its own: one that locks a row and changes it reads it as it was before it waited, and asks for the lock
// of that old version too, which another may hold that waits for this one.
const lockInOrder = statement(`
  select from conversations c
  join (select distinct * from unnest($1::uuid[], $2::uuid[]) as k (workspace_id, id)) n using (workspace_id, id)
  order by c.workspace_id, c.id for no key update of c`);

function lockConversations(tx: Transaction, activities: readonly { workspace_id: string; conversation_id: string }[]) {
  const workspaces = activities.map(({ workspace_id }) => workspace_id);
  return lockInOrder(tx, [workspaces, activities.map(({ conversation_id }) => conversation_id)]);
}

// PostgreSQL knows no greatest uuid before version 18; as text they have the same order.
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
  from latest l where c.workspace_id = l.workspace_id and c.id = l.conversation_id`);

/** Records that the business wrote: the conversation rises in the list, and after a reply nothing in it is unread any more. */
export async function touchByBusiness(tx: Transaction, activities: readonly OutboundActivity[]): Promise<void> {
  if (activities.length === 0) return;
  const rows = activities.map(({ workspace_id, conversation_id, message_id, at, reopens, is_reply }) => {
    return { workspace_id, conversation_id, message_id, at, reopens, is_reply };
  });
  // One row has no order, so a send alone needs no lock before its update.
  const isOne = rows.every(({ conversation_id }) => conversation_id === rows[0]!.conversation_id);
  await Promise.all([isOne || lockConversations(tx, activities), touchOutbound(tx, [JSON.stringify(rows)])]);
}

/** A message of the customer, stored `at`, written `written_at`. */
export interface InboundActivity {
  workspace_id: string;
  conversation_id: string;
  message_id: string;
  at: Date;
  written_at: Date;
  /** Until when it holds the window open, if it opens it. */
  window_expires_at: Date | null;
  /** Of the identity that wrote it. */
  identifier: string;
}

// A conversation in which the customer writes for the first time wants someone to answer. Only where an agent could,
// it is reported back: elsewhere this costs one look-up by index for each new conversation, and nothing for the others.
const touchInbound = statement<Unassigned>(`
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
    -- An answer that was given in the same moment may have found the row first.
    first_response_at = coalesce(c.first_response_at, case when c.first_customer_at is null
      and c.last_business_message_id > l.message_id then greatest(c.last_message_at, l.at) end),
    window_expires_at = greatest(c.window_expires_at, l.window_expires_at),
    -- One that has moved to another number since the message came is not the contact's any more.
    identifier = case when c.last_customer_at > l.written_at or not exists (
      select from contact_identities i where i.workspace_id = c.workspace_id and i.channel_type = c.channel_type
        and i.identifier = l.identifier and i.contact_id = c.contact_id) then c.identifier else l.identifier end,
    unread_count = c.unread_count + l.messages,
    status = 'open',
    reopened_at = case when c.status = 'closed' then l.at else c.reopened_at end,
    snoozed_until = null
  from before l
  where c.workspace_id = l.workspace_id and c.id = l.conversation_id
  returning c.workspace_id, c.id, l.is_unclaimed
  )
  select workspace_id, id from touched
  where is_unclaimed and exists (
    select from users u where u.workspace_id = touched.workspace_id and u.role = 'agent' and u.available)`);

/**
 * Records that the customer wrote: the conversation is open, awake, and holds more to read; its window only grows. One
 * that nobody has yet is assigned.
 */
export async function touchByCustomer(tx: Transaction, activities: readonly InboundActivity[]): Promise<void> {
  if (activities.length === 0) return;
  const rows = activities.map((activity) => {
    const { workspace_id, conversation_id, message_id, at, written_at, window_expires_at, identifier } = activity;
    return { workspace_id, conversation_id, message_id, at, written_at, window_expires_at, identifier };
  });
  const [, unassigned] = await Promise.all([
    lockConversations(tx, activities),
    touchInbound(tx, [JSON.stringify(rows)]),
  ]);
  await assignByTurns(tx, unassigned);
}

/** A conversation that this transaction holds: nobody changes it before the end. */
export interface LockedConversation {
  workspace_id: string;
  id: string;
  contact_id: string;
  channel_id: string;
  status: string;
  stage_id: string | null;
  controller: string;
  /** The bot in control, while one is: a run of a workflow, or else this agent. */
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
    .forNoKeyUpdate();
  return runFirst(tx, query);
}

/** The members that operations of the contract set. */
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

export interface NewClosing {
  id: string;
  closed_at: Date;
  closed_by: string | null;
  category_id: string | null;
  summary: string | null;
  survey_message_id: string | null;
}

const insertClosings = statement(`
  insert into conversation_closings (workspace_id, id, conversation_id, opened_at, closed_at, closed_by, category_id,
    summary, survey_message_id, stage_id, assignee_id, team_id)
  select workspace_id, $3, id, coalesce(reopened_at, created_at), $4, $5, $6, $7, $8, stage_id, assignee_id, team_id
  from conversations where workspace_id = $1 and id = $2`);

/** Keeps that it was closed, why, and where it stood. */
export async function insertClosing(
  tx: Transaction,
  { workspace_id, id }: LockedConversation,
  closing: NewClosing,
): Promise<void> {
  const { closed_at, closed_by, category_id, summary, survey_message_id } = closing;
  const values = [closed_at, closed_by, category_id, summary, survey_message_id];
  await insertClosings(tx, [workspace_id, id, closing.id, ...values]);
}
