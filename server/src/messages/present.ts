import type { Message } from '@majlis/contract';
import { publicId } from '../database/ids.ts';

/** A row of `messages`, as far as the contract shows it. */
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
}

const captioned = new Set(['image', 'video', 'file']);
const actorPrefixes: Record<string, string> = {
  contact: 'ct',
  user: 'usr',
  ai_agent: 'ai',
  workflow: 'wf',
  broadcast: 'bc',
};

/** What has no value is left out. */
export function presentMessage(row: MessageRow): Message {
  const actorPrefix = row.actor_kind ? actorPrefixes[row.actor_kind] : undefined;
  return {
    id: publicId('msg', row.id),
    conversation_id: publicId('cv', row.conversation_id),
    direction: row.direction,
    kind: row.kind as Message['kind'],
    ...(row.body !== null && { body: row.body }),
    ...(row.body !== null && captioned.has(row.kind) && { caption: row.body }),
    ...(row.media_id && { media_id: publicId('med', row.media_id) }),
    ...(row.filename && { filename: row.filename }),
    ...(row.mime && { mime: row.mime }),
    ...(typeof row.size_bytes === 'number' && { size_bytes: row.size_bytes }),
    ...(row.reply_to_id && { reply_to_id: publicId('msg', row.reply_to_id) }),
    ...(row.actor_kind && { actor_kind: row.actor_kind }),
    ...(actorPrefix && row.actor_id && { actor_id: publicId(actorPrefix, row.actor_id) }),
    ...(row.status && { status: row.status as NonNullable<Message['status']> }),
    ...(row.error && { error: row.error }),
    created_at: row.created_at.toISOString(),
  };
}
