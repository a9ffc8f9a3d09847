import { lowestIdIn, newId } from '../database/ids.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { deliverEvent } from '../events/delivery-job.ts';
import { announceDeliveries, type DeliveryJob, recordEvents, recordedIn, toEventRow } from '../events/record-events.ts';
import type { Clock } from '../process/clock.ts';
import { assignRoundRobin } from './change/assign-round-robin.ts';
import { type Actor, system } from './change/record-changes.ts';
import { eventsOfLines } from './events.ts';

/** A message of the business in a conversation. */
export interface OutboundActivity {
  workspace_id: string;
  conversation_id: string;
  message_id: string;
  at: Date;
  /** When it was written, where it was reported later. */
  written_at?: Date;
  /** Written before the customer's last message, so it answers nothing. */
  is_late?: boolean;
  /** Whether it also reopens a closed conversation. */
  reopens: boolean;
  /** Whether it was written to this customer, rather than a broadcast. */
  is_reply: boolean;
  /** Sent by the service itself: the customer waits for a reply all the same. */
  is_automatic?: boolean;
  /** Who reopens it. */
  actor: Actor;
}

// Rows are locked in one order before they change, so batches that share conversations cannot deadlock. The lock is a
// statement of its own: one that locks and updates would read the row version from before the wait, and would wait for the
// lock on that old version too.
const lockInOrder = statement(`
  select from conversations c
  join (select distinct * from unnest($1::uuid[], $2::uuid[]) as k (workspace_id, id)) n using (workspace_id, id)
  order by c.workspace_id, c.id for no key update of c`);

/** Locks conversations in one order, so that two batches cannot deadlock. */
export function lockConversations(tx: Transaction, of: readonly { workspace_id: string; conversation_id: string }[]) {
  const workspaces = of.map(({ workspace_id }) => workspace_id);
  return lockInOrder(tx, [workspaces, of.map(({ conversation_id }) => conversation_id)]);
}

// PostgreSQL has no max(uuid) before version 18; text has the same order.
const lastMessage = 'max(message_id::text)::uuid as message_id';

// The first answer within the day after the advertisement's message opens the free time. An answered one ends later than 48 hours
// after that day, and an earlier answer may be reported later. `w.at`: when an answer was written.
const freeUntil = (dayEnd: string) => `coalesce(case when c.free_until >= ${dayEnd} + interval '48 hours'
    then least(c.free_until, min(w.at) + interval '72 hours') else min(w.at) + interval '72 hours' end, c.free_until)`;
const isInDay = (dayEnd: string) => `w.at < ${dayEnd} and w.at >= ${dayEnd} - interval '24 hours'`;

const touchOutbound = statement<DeliveryJob>(`
  with new as (
    select * from json_to_recordset($1) as n
      (workspace_id uuid, conversation_id uuid, message_id uuid, at timestamptz, written_at timestamptz, reopens boolean,
        is_reply boolean, is_automatic boolean, is_late boolean, change_id uuid, actor_kind text, actor_id uuid, event json)
  ), latest as (
    select workspace_id, conversation_id, max(at) as at, bool_or(reopens) as reopens,
      max(message_id::text) filter (where is_automatic is not true and is_late is not true)::uuid as message_id,
      max(at) filter (where is_reply and is_late is not true) as replied_at,
      min(change_id::text)::uuid as change_id
    from new group by 1, 2
  ), before as materialized (
    select l.*, c.status, c.reopened_at
    from latest l join conversations c on c.workspace_id = l.workspace_id and c.id = l.conversation_id
  ), touched as (
  update conversations c set
    last_message_at = greatest(c.last_message_at, l.at),
    last_business_message_id = greatest(c.last_business_message_id, l.message_id),
    first_response_at = coalesce(c.first_response_at, case when c.first_customer_at <= l.replied_at then l.replied_at end),
    unread_count = case when l.replied_at is null then c.unread_count else 0 end,
    status = case when l.reopens then 'open' else c.status end,
    reopened_at = case when l.reopens and c.status = 'closed' then l.at else c.reopened_at end,
    free_until = (
      select ${freeUntil('c.entry_answerable_until')}
      from (select workspace_id, conversation_id, coalesce(written_at, at) as at from new) w
      where c.entry_answerable_until is not null and w.workspace_id = c.workspace_id and w.conversation_id = c.id
        and ${isInDay('c.entry_answerable_until')})
  from before l where c.workspace_id = l.workspace_id and c.id = l.conversation_id and c.contact_id is not null
  -- A concurrent transaction may have closed it after the reading of l: the time of the reopening tells.
  returning l.change_id, l.reopens and c.reopened_at = l.at
    and (l.status = 'closed' or l.reopened_at is distinct from l.at) as is_reopened
  ), reopened as materialized (
    select n.* from touched t join new n on n.change_id = t.change_id where t.is_reopened
  ), lines as (
    insert into conversation_changes (workspace_id, conversation_id, id, kind, actor_kind, actor_id, created_at)
    select workspace_id, conversation_id, change_id, 'reopened', actor_kind, actor_id, at from reopened
  ), happened as materialized (
    select e.* from reopened r join lateral json_populate_record(null::events, r.event) e on e.workspace_id = r.workspace_id
  ), ${recordedIn('happened', { kind: '$2', at: '$3' })}`);

const findLate = statement<{ message_id: string }>(`
  select n.message_id from json_to_recordset($1) as n
    (workspace_id uuid, conversation_id uuid, message_id uuid, written_at timestamptz)
  join conversations c on c.workspace_id = n.workspace_id and c.id = n.conversation_id
  where n.written_at < c.last_customer_at`);

/** Marks the messages that were written before the customer's last one. Locks their conversations, so that the order stays. */
export async function markLate(tx: Transaction, activities: readonly OutboundActivity[]): Promise<OutboundActivity[]> {
  if (activities.length === 0) return [];
  await lockConversations(tx, activities);
  const rows = activities.map(({ workspace_id, conversation_id, message_id, written_at }) => {
    return { workspace_id, conversation_id, message_id, written_at };
  });
  const late = new Set((await findLate(tx, [JSON.stringify(rows)])).map(({ message_id }) => message_id));
  return activities.map((activity) => ({ ...activity, is_late: late.has(activity.message_id) }));
}

/** Records messages of the business: the conversation rises in the list, and a reply resets its unread count. */
export async function touchByBusiness(
  tx: Transaction,
  clock: Clock,
  activities: readonly OutboundActivity[],
): Promise<void> {
  if (activities.length === 0) return;
  // One row has no order, so a send alone needs no lock before its update.
  const isOne = activities.every(({ conversation_id }) => conversation_id === activities[0]!.conversation_id);
  const rows = activities.map(({ actor, ...activity }) => {
    if (!activity.reopens) return activity;
    // The statement finds out which conversations it reopens, and a send waits for no answer of it.
    const [event] = eventsOfLines([{ ...activity, kind: 'reopened' }], actor);
    const change = { change_id: newId(clock), actor_kind: actor.kind, actor_id: actor.id };
    return { ...activity, ...change, event: toEventRow(clock, event!, activity.at) };
  });
  const [, jobs] = await Promise.all([
    isOne || lockConversations(tx, activities),
    touchOutbound(tx, [JSON.stringify(rows), deliverEvent, clock.now()]),
  ]);
  announceDeliveries(tx, jobs);
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
  /** The last moment of an answer that opens a free time; null where the customer came by no advertisement. */
  entry_answerable_until: Date | null;
  /** The identity that wrote it. */
  identifier: string;
}

// Returns the reopened conversations, and the unassigned ones with a first message of the customer where an agent is available.
// The check costs one look-up by index for each such conversation.
const touchInbound = statement<{ workspace_id: string; id: string; was_closed: boolean; is_unassigned: boolean }>(`
  with new as (
    select * from json_to_recordset($1) as n
      (workspace_id uuid, conversation_id uuid, message_id uuid, at timestamptz, written_at timestamptz,
        window_expires_at timestamptz, entry_answerable_until timestamptz, identifier text, change_id uuid)
  ), latest as (
    select workspace_id, conversation_id, ${lastMessage}, max(at) as at, max(written_at) as written_at,
      max(window_expires_at) as window_expires_at, max(entry_answerable_until) as entry_answerable_until, count(*) as messages, min(change_id::text)::uuid as change_id,
      (array_agg(identifier order by written_at desc))[1] as identifier
    from new group by 1, 2
  ), before as materialized (
    select l.*, c.assignee_id is null and c.first_customer_at is null as is_unclaimed,
      c.status = 'closed' as was_closed, c.snoozed_until > l.at as was_asleep
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
    entry_answerable_until = greatest(c.entry_answerable_until, l.entry_answerable_until),
    -- The answer may be stored before the advertisement's message. It has its id right after its moment, and one of the phone app later.
    free_until = case when l.entry_answerable_until is null or l.entry_answerable_until < c.entry_answerable_until then c.free_until
      else (select ${freeUntil('l.entry_answerable_until')}
        from (select least(o.created_at, case when o.content -> 'raw' ->> 'timestamp' ~ '^\\d{10}$'
            then to_timestamp((o.content -> 'raw' ->> 'timestamp')::bigint) end) as at
          from messages o
          where o.workspace_id = c.workspace_id and o.conversation_id = c.id and o.direction = 'outbound' and o.kind <> 'note'
            and o.status is distinct from 'failed' and (o.kind <> 'reaction' or o.body is not null)
            and o.id >= ${lowestIdIn("(l.entry_answerable_until - interval '24 hours')")}) w
        where ${isInDay('l.entry_answerable_until')}) end,
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
  returning c.workspace_id, c.id, l.is_unclaimed, l.was_closed, l.was_asleep, l.change_id, l.at
  ), recorded as (
    insert into conversation_changes (workspace_id, conversation_id, id, kind, actor_kind, created_at)
    select workspace_id, id, change_id, case when was_closed then 'reopened' else 'snoozed' end, 'contact', at
    from touched where was_closed or was_asleep
  )
  select workspace_id, id, was_closed, is_unassigned from (
    select workspace_id, id, was_closed, is_unclaimed and exists (
      select from users u where u.workspace_id = touched.workspace_id and u.role = 'agent' and u.available) as is_unassigned
    from touched
  ) as t
  where was_closed or is_unassigned`);

/** Records messages of the customer: opens the conversation, ends a snooze, extends the window, and assigns an agent. */
export async function touchByCustomer(
  tx: Transaction,
  clock: Clock,
  activities: readonly InboundActivity[],
): Promise<void> {
  if (activities.length === 0) return;
  const rows = activities.map((activity) => ({ ...activity, change_id: newId(clock) }));
  const touched = [lockConversations(tx, activities), touchInbound(tx, [JSON.stringify(rows)])] as const;
  const [, noted] = await Promise.all(touched);
  const reopened = noted.filter(({ was_closed }) => was_closed);
  const lines = reopened.map(({ workspace_id, id }) => ({ workspace_id, conversation_id: id, kind: 'reopened' }));
  await recordEvents(tx, clock, eventsOfLines(lines, { kind: 'contact', id: null }));
  const unassigned = noted.filter(({ is_unassigned }) => is_unassigned);
  await assignRoundRobin(tx, clock, unassigned, { actor: system });
}
