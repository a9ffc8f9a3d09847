import { type RawBuilder, sql } from 'kysely';
import type { ConversationRow } from '../present.ts';

/** Rows of `conversations`. */
export type Listed = Pick<ConversationRow, 'id' | 'last_message_at'>;

/**
 * These conversations with what is shown of their contacts, latest activity first. Where the customer wrote, their identity
 * stands beside the conversation and is always one of the contact's.
 */
export function showConversations(conversations: RawBuilder<Listed>): RawBuilder<ConversationRow> {
  return sql<ConversationRow>`
    select c.id, c.contact_id, c.channel_id, c.channel_type, c.status, c.stage_id, c.assignee_id, c.team_id, c.controller,
      c.unread_count, c.last_customer_at, c.last_business_message_id, c.last_message_at, c.window_expires_at,
      k.name as contact_name, k.tags,
      coalesce(c.identifier, (select i.identifier from contact_identities i
       where i.workspace_id = c.workspace_id and i.contact_id = c.contact_id and i.channel_type = c.channel_type
       order by i.created_at, i.identifier limit 1)) as contact_handle
    from ${conversations} c cross join lateral (
      select name, tags from contacts o where o.workspace_id = c.workspace_id and o.id = c.contact_id offset 0) k
    order by c.last_message_at desc, c.id desc`;
}
