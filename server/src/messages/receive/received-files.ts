import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { MediaRow } from '../../media/queries.ts';
import type { EventSubject } from '../events.ts';
import type { MessageRef } from '../jobs.ts';

/** A message whose file is still to be fetched from the platform. */
export interface AwaitedFile {
  workspace_id: string;
  message_id: string;
  channel_id: string;
  platform_media_id: string;
  filename: string | null;
  /** When the message, or its import, was stored. */
  created_at: Date;
}

const selectAwaited = statement<AwaitedFile>(`
  select workspace_id, id as message_id, channel_id, content ->> 'platform_media_id' as platform_media_id, filename,
    coalesce((content -> 'imported' ->> 'at')::timestamptz, created_at) as created_at
  from messages
  where workspace_id = $1 and id = $2 and media_id is null and deleted_at is null
    and content ->> 'platform_media_id' is not null`);

/** Undefined where the message was erased or deleted, or has its file. */
export async function findAwaited(connection: Connection, ref: MessageRef): Promise<AwaitedFile | undefined> {
  return (await selectAwaited(connection, [ref.workspace_id, ref.message_id]))[0];
}

export interface AwaitingMessage extends EventSubject {
  created_at: Date;
  /** Nothing follows a message of another history. */
  is_imported: boolean;
}

const lockMessage = statement<AwaitingMessage>(`
  select workspace_id, id, conversation_id, direction, kind, body, created_at,
    content -> 'imported' is not null as is_imported
  from messages where workspace_id = $1 and id = $2 and media_id is null and deleted_at is null
  for no key update`);

/** Undefined where the message was erased or deleted, or has its file. */
export async function lockAwaiting(tx: Transaction, awaited: AwaitedFile): Promise<AwaitingMessage | undefined> {
  return (await lockMessage(tx, [awaited.workspace_id, awaited.message_id]))[0];
}

// The platform's type stays where the content shows a less specific one.
const updateFile = statement(`
  update messages set media_id = $3, size_bytes = $5,
    mime = case when mime is null or $4 not in ('application/octet-stream', 'text/plain') then $4 else mime end
  where workspace_id = $1 and id = $2`);

export async function setFile(tx: Transaction, { workspace_id, message_id }: AwaitedFile, file: MediaRow) {
  await updateFile(tx, [workspace_id, message_id, file.id, file.mime, file.size_bytes]);
}

const updateError = statement(`
  update messages set error = $3 where workspace_id = $1 and id = $2 and media_id is null and error is null`);

/** Stores the reason why the message has no file. */
export async function setFileError(tx: Transaction, { workspace_id, message_id }: AwaitedFile, error: string) {
  await updateError(tx, [workspace_id, message_id, error]);
}
