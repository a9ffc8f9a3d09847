import { type RawBuilder, sql } from 'kysely';
import type { ConversationRow } from '../present.ts';

// What is shown, what it is shown with, and what is searched by: each row of a walk is handed on several times, and with all
// its columns that takes a quarter longer.
const shownColumns = sql`c.id, c.contact_id, c.channel_id, c.channel_type, c.status, c.stage_id, c.assignee_id, c.team_id,
  c.controller, c.unread_count, c.last_customer_at, c.last_business_message_id, c.last_message_at, c.window_expires_at`;
export const walkedColumns = sql`${shownColumns}, c.workspace_id, c.identifier, c.snoozed_until, c.contact_name, c.contact_tags,
  c.contact_name_folded`;

/** The columns of a conversation that are shown. */
export type Standing = Omit<ConversationRow, 'tags' | 'contact_handle'> & { workspace_id: string };

/**
 * These conversations with what is shown of their contacts, latest activity first. Where the customer wrote, their identity
 * stands beside the conversation and is always one of the contact's.
 */
export function showConversations(conversations: RawBuilder<Standing>): RawBuilder<ConversationRow> {
  return sql<ConversationRow>`
    select ${shownColumns}, c.contact_name, c.contact_tags as tags,
      coalesce(c.identifier, (select i.identifier from contact_identities i
       where i.workspace_id = c.workspace_id and i.contact_id = c.contact_id and i.channel_type = c.channel_type
       order by i.created_at, i.identifier limit 1)) as contact_handle
    from ${conversations} c order by c.last_message_at desc, c.id desc`;
}
