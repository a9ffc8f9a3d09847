import { mostUnread } from '@majlis/console-api';
import { sql } from 'kysely';
import { lowestIdIn } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { run } from '../database/query.ts';
import { allOf, type SqlCondition } from '../database/search-page.ts';

/** What of a conversation is the own of each person. */
export interface OwnPart {
  conversation_id: string;
  user_id: string;
  last_read_message_id: string | null;
  /** The messages of the customer behind the read mark, up to `mostUnread`. */
  unread_count: number;
  has_draft: boolean;
}

interface Asked {
  workspace_id: string;
  user_ids: readonly string[];
  conversation_ids: readonly string[];
}

const least = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/**
 * One part for each of these people and conversations, without conversations that are erased or fail a condition on their row as
 * `c`. What stands before the first message to this service was imported, and what stands before a person joined is not theirs:
 * nobody has to read it. The last message of the customer decides most conversations without a look at their messages.
 */
export function readOwnParts(
  connection: Connection,
  { workspace_id, user_ids, conversation_ids }: Asked,
  conditions: readonly SqlCondition[] = [],
): Promise<OwnPart[]> {
  const listed = allOf([sql<boolean>`c.contact_id is not null`, ...conditions]);
  return run(
    connection,
    sql<OwnPart>`
      select c.id as conversation_id, c.user_id, c.last_read_message_id, case when c.last_customer_message_id > c.bound then (
        select count(*)::integer from (
          select from messages m where m.workspace_id = c.workspace_id and m.conversation_id = c.id
            and m.id > c.bound and m.direction = 'inbound' limit ${sql.lit(mostUnread)}) unread)
        else 0 end as unread_count, exists (
        select from drafts d where d.workspace_id = c.workspace_id and d.user_id = c.user_id
          and d.conversation_id = c.id) as has_draft
      from (
        select c.workspace_id, c.id, c.last_customer_message_id, u.id as user_id, r.last_read_message_id, greatest(
            case when r.user_id is null then coalesce(${sql.raw(lowestIdIn('u.joined_at'))}, ${least})
              else coalesce(r.last_read_message_id, ${least}) end,
            coalesce(${sql.raw(lowestIdIn('c.first_customer_at'))}, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) as bound
        from unnest(${conversation_ids}::uuid[]) n (id) cross join lateral (
          select * from conversations o where o.workspace_id = ${workspace_id} and o.id = n.id offset 0) c
        cross join unnest(${user_ids}::uuid[]) p (id) cross join lateral (
          select id, joined_at from users o where o.workspace_id = ${workspace_id} and o.id = p.id offset 0) u
        left join lateral (
          select user_id, last_read_message_id from read_marks k
          where k.workspace_id = c.workspace_id and k.conversation_id = c.id and k.user_id = u.id offset 0) r on true
        where ${listed}) c`,
  );
}
