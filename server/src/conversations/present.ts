import type { Conversation } from '@majlis/contract';
import { publicId } from '../database/ids.ts';

/** A row of `conversations` with what is shown of its contact. */
export interface ConversationRow {
  id: string;
  contact_id: string;
  channel_id: string;
  channel_type: string;
  status: string;
  stage_id: string | null;
  assignee_id: string | null;
  team_id: string | null;
  controller: string;
  unread_count: number;
  tags: string[];
  last_customer_at: Date | null;
  last_message_at: Date;
  window_expires_at: Date | null;
  contact_name: string | null;
  contact_handle: string | null;
}

/** What has no value is left out. */
export function presentConversation(row: ConversationRow): Conversation {
  return {
    id: publicId('cv', row.id),
    contact_id: publicId('ct', row.contact_id),
    channel_id: publicId('ch_wa', row.channel_id),
    channel_type: row.channel_type as Conversation['channel_type'],
    status: row.status as Conversation['status'],
    ...(row.stage_id && { stage_id: publicId('', row.stage_id) }),
    ...(row.assignee_id && { assignee_id: publicId('usr', row.assignee_id) }),
    ...(row.team_id && { team_id: publicId('team', row.team_id) }),
    controller: row.controller as Conversation['controller'],
    unread_count: row.unread_count,
    tags: row.tags,
    ...(row.last_customer_at && { last_customer_at: row.last_customer_at.toISOString() }),
    last_message_at: row.last_message_at.toISOString(),
    ...(row.window_expires_at && { window_expires_at: row.window_expires_at.toISOString() }),
    ...(row.contact_name !== null && { contact_name: row.contact_name }),
    ...(row.contact_handle !== null && { contact_handle: row.contact_handle }),
  };
}
