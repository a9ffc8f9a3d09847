import type { TemplateComponent } from '@majlis/contract';
import { sql } from 'kysely';
import type { Connection } from '../../database/pool.ts';
import { run } from '../../database/query.ts';
import type { SqlCondition } from '../../database/search-page.ts';
import type { MessageRow } from '../present.ts';
import { senderKind } from '../sender-kind.ts';
import { describedBy } from '../unreadable-content.ts';

/** A message with what its bubble shows besides. The contract knows some kinds of senders not, and has none there. */
export interface ThreadMessageRow extends MessageRow {
  actor_name: string | null;
  content: unknown;
  broadcast_id: string | null;
  template_components: TemplateComponent[] | null;
  quoted_direction: string | null;
  quoted_kind: string | null;
  quoted_body: string | null;
  quoted_described: unknown;
  edited_at: Date | null;
}

/** The conversation of a thread, which the caller may see. */
export interface ThreadOf {
  workspace_id: string;
  conversation_id: string;
}

/** Beyond an id in one direction, from the nearest on. */
export interface ThreadStretch {
  direction: 'earlier' | 'later';
  /** Undefined: from the end. */
  beyond: string | undefined;
  /** The item itself belongs to it. */
  inclusive?: boolean;
  count: number;
}

/** The condition on the ids of `m`, and their order. */
export function boundsOf({ direction, beyond, inclusive }: Omit<ThreadStretch, 'count'>) {
  const [compare, order] = direction === 'earlier' ? (['<', 'desc'] as const) : (['>', 'asc'] as const);
  const from =
    beyond === undefined ? sql`` : sql`and m.id ${sql.raw(compare + (inclusive ? '=' : ''))} ${beyond}::uuid`;
  return { from, order: sql.raw(order) };
}

/** The messages of a stretch, from the nearest on: ids have the order in which messages were stored. */
export function listStretch(
  connection: Connection,
  { workspace_id, conversation_id }: ThreadOf,
  { count, ...stretch }: ThreadStretch,
): Promise<ThreadMessageRow[]> {
  const { from, order } = boundsOf(stretch);
  const messages = sql`select * from messages m
    where m.workspace_id = ${workspace_id} and m.conversation_id = ${conversation_id} ${from}
    order by m.id ${order} limit ${count}`;
  return run(connection, sql<ThreadMessageRow>`${withDetails(messages)} order by m.id ${order}`);
}

/** Those of the messages that the conversation has, oldest first. */
export function listByIds(
  connection: Connection,
  { workspace_id, conversation_id }: ThreadOf,
  ids: readonly string[],
): Promise<ThreadMessageRow[]> {
  // Each by its key: with a list of ids, a database that was never analysed reads the whole conversation.
  const messages = sql`select m.* from unnest(${ids}::uuid[]) n (id) cross join lateral (
      select * from messages o where o.workspace_id = ${workspace_id} and o.id = n.id offset 0) m
    where m.conversation_id = ${conversation_id}`;
  return run(connection, sql<ThreadMessageRow>`${withDetails(messages)} order by m.id`);
}

const nameOf = (table: 'users' | 'workflows' | 'ai_agents' | 'broadcasts') =>
  sql`(select name from ${sql.table(table)} a where a.workspace_id = m.workspace_id and a.id = m.actor_id)`;

// Look-ups by key: a join would let the planner read a whole table for a page of messages. The conversation names the contact, who
// is the author of its inbound messages.
const ofContact: SqlCondition = sql<boolean>`c.contact_id is not null`;
const withDetails = (messages: ReturnType<typeof sql>) => sql`
  select m.id, m.conversation_id, m.direction, m.kind, m.body, m.media_id, m.filename, m.mime, m.size_bytes, m.reply_to_id,
    ${sql.raw(senderKind)} as actor_kind, m.status, m.error, m.created_at, m.edited_at, m.deleted_at, m.content, m.broadcast_id,
    case when m.actor_kind = 'contact' then c.contact_id else m.actor_id end as actor_id,
    case m.actor_kind when 'user' then ${nameOf('users')} when 'workflow' then ${nameOf('workflows')}
      when 'ai_agent' then ${nameOf('ai_agents')} when 'broadcast' then ${nameOf('broadcasts')} end as actor_name,
    case m.kind when 'template' then (
      select t.components from channels ch
      join templates t on t.workspace_id = ch.workspace_id and t.waba_id = ch.waba_id
      where ch.workspace_id = m.workspace_id and ch.id = m.channel_id
        and t.name = m.content ->> 'name' and t.language = m.content ->> 'language') end as template_components,
    q.direction as quoted_direction, q.kind as quoted_kind, q.body as quoted_body, q.described as quoted_described
  from (${messages}) m
  join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id and ${ofContact}
  left join lateral (
    select o.direction, o.kind, left(o.body, 200) as body, ${sql.raw(describedBy('o'))} as described from messages o
    where o.workspace_id = m.workspace_id and o.id = m.reply_to_id and o.conversation_id = m.conversation_id offset 0
  ) q on true`;
