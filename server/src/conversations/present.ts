import type { Conversation } from '@majlis/contract';
import { publicId } from '../database/ids.ts';

/** A row of `conversations` with the columns of its contact that are shown. */
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
  last_business_message_id: string | null;
  /** Its position in the list: the last message, or the creation where there is none. */
  last_message_at: Date;
  window_expires_at: Date | null;
  contact_name: string | null;
  contact_handle: string | null;
}

/** Members without a value are left out. */
export function presentConversation(row: ConversationRow): Conversation {
  const shown: Conversation = {
    id: publicId('conversation', row.id),
    contact_id: publicId('contact', row.contact_id),
    channel_id: publicId('channel', row.channel_id),
    channel_type: row.channel_type as Conversation['channel_type'],
    status: row.status as Conversation['status'],
    controller: row.controller as Conversation['controller'],
    unread_count: row.unread_count,
    tags: row.tags,
  };
  if (row.stage_id) shown.stage_id = publicId('stage', row.stage_id);
  if (row.assignee_id) shown.assignee_id = publicId('user', row.assignee_id);
  if (row.team_id) shown.team_id = publicId('team', row.team_id);
  const isWritten = row.last_customer_at !== null || row.last_business_message_id !== null;
  if (isWritten) shown.last_message_at = row.last_message_at.toISOString();
  if (row.last_customer_at) shown.last_customer_at = row.last_customer_at.toISOString();
  if (row.window_expires_at) shown.window_expires_at = row.window_expires_at.toISOString();
  if (row.contact_name !== null) shown.contact_name = row.contact_name;
  if (row.contact_handle !== null) shown.contact_handle = row.contact_handle;
  return shown;
}
