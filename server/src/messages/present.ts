import type { Message } from '@majlis/contract';
import { publicId } from '../database/ids.ts';

/** The columns of a row of `messages` that the contract shows. */
export interface MessageRow {
  id: string;
  conversation_id: string;
  direction: string;
  kind: string;
  body: string | null;
  media_id?: string | null;
  filename?: string | null;
  mime?: string | null;
  size_bytes?: number | null;
  reply_to_id: string | null;
  actor_kind: string | null;
  actor_id: string | null;
  status: string | null;
  error?: string | null;
  created_at: Date;
  /** When its author deleted it at the platform: it has no content any more. */
  deleted_at?: Date | null;
}

const captioned = new Set(['image', 'video', 'file']);
const actorKinds = ['contact', 'user', 'ai_agent', 'workflow', 'broadcast'] as const;

/** Members without a value are left out. */
export function presentMessage(row: MessageRow): Message {
  const actorKind = actorKinds.find((kind) => kind === row.actor_kind);
  const shown: Message = {
    id: publicId('message', row.id),
    conversation_id: publicId('conversation', row.conversation_id),
    direction: row.direction,
    kind: row.kind as Message['kind'],
    created_at: row.created_at.toISOString(),
  };
  if (row.body !== null) shown.body = row.body;
  if (row.body !== null && captioned.has(row.kind)) shown.caption = row.body;
  if (row.media_id) shown.media_id = publicId('media', row.media_id);
  if (row.filename) shown.filename = row.filename;
  if (row.mime) shown.mime = row.mime;
  if (typeof row.size_bytes === 'number') shown.size_bytes = row.size_bytes;
  if (row.reply_to_id) shown.reply_to_id = publicId('message', row.reply_to_id);
  if (row.actor_kind) shown.actor_kind = row.actor_kind;
  if (actorKind && row.actor_id) shown.actor_id = publicId(actorKind, row.actor_id);
  if (row.status) shown.status = row.status as NonNullable<Message['status']>;
  if (row.error) shown.error = row.error;
  return shown;
}
