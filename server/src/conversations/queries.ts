import type { NotNull } from 'kysely';
import { newId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { build, run, runFirst, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';
import { type ChangeCause, linesOf, recordChanges } from './change/record-changes.ts';
import { lockConversations } from './touch-conversations.ts';

/** A conversation that this transaction has locked. */
export interface LockedConversation {
  workspace_id: string;
  id: string;
  contact_id: string;
  channel_id: string;
  status: string;
  stage_id: string | null;
  assignee_id: string | null;
  team_id: string | null;
  snoozed_until: Date | null;
  controller: string;
  /** The bot in control, if any: the workflow run, or else the AI agent. */
  workflow_run_id: string | null;
  ai_agent_id: string | null;
  /** The platform's own agent is the bot in control. */
  held_by_platform: boolean;
  platform_control_at: Date | null;
}

export function lockConversation(
  tx: Transaction,
  workspace_id: string,
  id: string,
): Promise<LockedConversation | undefined> {
  const query = build
    .selectFrom('conversations')
    .select(['workspace_id', 'id', 'contact_id', 'channel_id', 'status', 'stage_id', 'controller'])
    .select(['workflow_run_id', 'ai_agent_id', 'assignee_id', 'team_id', 'snoozed_until'])
    .select(['held_by_platform', 'platform_control_at'])
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
  bot_handed_over_at?: Date;
  workflow_run_id?: string | null;
  held_by_platform?: boolean;
  snoozed_until?: Date | null;
}

const endWindow = statement(`
  update conversations set window_expires_at = window_expires_at - make_interval(secs => $3)
  where workspace_id = $1 and id = $2`);

/** Lets the time pass for the window of a conversation, in a transaction that is rolled back. */
export async function agePretendedWindow(
  tx: Transaction,
  { workspace_id, id }: Pick<LockedConversation, 'workspace_id' | 'id'>,
  seconds: number,
): Promise<void> {
  await endWindow(tx, [workspace_id, id, seconds]);
}

/**
 * Changes the locked conversation, and records the lines of its thread. Without a cause, the change is a part of another one
 * that has a line.
 */
export async function updateConversation(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  change: ConversationChange,
  cause: ChangeCause | null,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const { workspace_id, id } = conversation;
  const lines = cause ? linesOf(conversation, change, cause) : [];
  const values = { ...change, ...takenControl(conversation, change, clock.now()) };
  Object.assign(conversation, values);
  const query = build.updateTable('conversations').set(values);
  await Promise.all([
    run(tx, query.where('workspace_id', '=', workspace_id).where('id', '=', id)),
    cause && recordChanges(tx, clock, workspace_id, cause.actor, about([id], lines)),
  ]);
}

/** Whoever gets control takes it from the platform's own agent. An earlier report of the platform changes it no more. */
function takenControl(
  { held_by_platform, platform_control_at }: LockedConversation,
  change: ConversationChange,
  now: Date,
): Partial<LockedConversation> {
  const is_given = change.controller ?? change.ai_agent_id ?? change.workflow_run_id;
  if (!held_by_platform || !is_given || change.held_by_platform !== undefined) return {};
  const is_later = platform_control_at !== null && platform_control_at > now;
  return { held_by_platform: false, platform_control_at: is_later ? platform_control_at : now };
}

function about<Line>(ids: readonly string[], lines: readonly Line[]) {
  return ids.flatMap((conversation_id) => lines.map((line) => ({ ...line, conversation_id })));
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

const clearSnooze = statement(`
  with woken as (
    update conversations set snoozed_until = null where workspace_id = $1 and id = $2 and snoozed_until <= $3
    returning workspace_id, id
  )
  insert into conversation_changes (workspace_id, conversation_id, id, kind, actor_kind, created_at)
  select workspace_id, id, $4, 'snoozed', 'system', $3 from woken`);

/** Ends the snooze of the conversation, unless it lasts longer by now. */
export async function endSnooze(
  connection: Connection,
  clock: Clock,
  { workspace_id, conversation_id }: { workspace_id: string; conversation_id: string },
): Promise<void> {
  await clearSnooze(connection, [workspace_id, conversation_id, clock.now(), newId(clock)]);
}

const beginPeriod = statement(`
  update conversations set away_period = $3
  where workspace_id = $1 and id = $2 and away_period is distinct from $3 returning id`);

/** Marks the closed period in which a locked conversation gets its away message. False where it has it already. */
export async function beginAwayPeriod(
  tx: Transaction,
  { workspace_id, id }: { workspace_id: string; id: string },
  period: string,
): Promise<boolean> {
  return (await beginPeriod(tx, [workspace_id, id, period])).length > 0;
}

/** A conversation with messages from another system. */
export interface ImportedActivity {
  workspace_id: string;
  id: string;
  /** The latest time of the messages. */
  last_message_at: Date;
  last_customer_at: Date | null;
  last_customer_message_id: string | null;
  last_business_message_id: string | null;
  /** The conversation is at least as old. */
  created_at?: Date;
}

export interface ImportedConversation extends ImportedActivity {
  contact_id: string;
  channel_id: string;
  channel_type: string;
  identifier: string;
  status: 'open' | 'closed';
  assignee_id: string | null;
  created_at: Date;
}

// No window: only a message of the customer to this service opens one.
const insertImported = statement(`
  insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, identifier, status, assignee_id,
    last_customer_at, last_message_at, last_customer_message_id, last_business_message_id, created_at)
  select workspace_id, id, contact_id, channel_id, channel_type, identifier, status, assignee_id,
    last_customer_at, last_message_at, last_customer_message_id, last_business_message_id, created_at
  from json_populate_recordset(null::conversations, $1)
  order by workspace_id, contact_id, channel_id`);

/** Stores conversations of another system, without events and workflows. */
export async function insertImportedConversations(
  tx: Transaction,
  conversations: readonly ImportedConversation[],
): Promise<void> {
  if (conversations.length > 0) await insertImported(tx, [JSON.stringify(conversations)]);
}

const touchImported = statement(`
  update conversations c set last_message_at = greatest(c.last_message_at, n.last_message_at),
    last_customer_at = greatest(c.last_customer_at, n.last_customer_at),
    last_customer_message_id = greatest(c.last_customer_message_id, n.last_customer_message_id),
    last_business_message_id = greatest(c.last_business_message_id, n.last_business_message_id),
    created_at = least(c.created_at, n.created_at)
  from json_to_recordset($1) as n (workspace_id uuid, id uuid, last_message_at timestamptz, last_customer_at timestamptz,
    last_customer_message_id uuid, last_business_message_id uuid, created_at timestamptz)
  where c.workspace_id = n.workspace_id and c.id = n.id and c.contact_id is not null`);

/** Records older messages of known conversations. Their status, their window and their unread count stay. */
export async function touchByImport(tx: Transaction, activities: readonly ImportedActivity[]): Promise<void> {
  if (activities.length === 0) return;
  const keys = activities.map(({ workspace_id, id }) => ({ workspace_id, conversation_id: id }));
  await lockConversations(tx, keys);
  await touchImported(tx, [JSON.stringify(activities)]);
}
