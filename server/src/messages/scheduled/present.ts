import type { ScheduledMessage } from '@majlis/console-api';
import { publicId } from '../../database/ids.ts';
import type { ShownScheduled } from './queries.ts';

export function presentScheduled(row: ShownScheduled): ScheduledMessage {
  const { content, preview, mime, filename, send_at, state, version, message_id, failure_code, failure_detail } = row;
  return {
    id: publicId('scheduled_message', row.id),
    conversation_id: publicId('conversation', row.conversation_id),
    user_id: publicId('user', row.user_id),
    ...(row.user_name !== null && { user_name: row.user_name }),
    content,
    ...(preview !== null && { preview }),
    ...(mime !== null && { file: { mime, ...(filename !== null && { filename }) } }),
    send_at: send_at.toISOString(),
    state,
    version,
    ...(failure_code !== null && {
      failure: { code: failure_code, ...(failure_detail !== null && { detail: failure_detail }) },
    }),
    ...(message_id !== null && { message_id: publicId('message', message_id) }),
    created_at: row.created_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
  };
}
