import type { Connection } from '../database/pool.ts';
import { build, run, runFirst, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { FileKey } from '../files/file-store.ts';

export interface MediaRow {
  id: string;
  mime: string;
  filename: string | null;
  size_bytes: number;
}

export interface NewMedia extends MediaRow {
  workspace_id: string;
  created_at: Date;
}

const lockUsage = statement(`select from workspaces where id = $1 for no key update`);
const selectUsage = statement<{ used_bytes: number }>(`
  select coalesce(sum(size_bytes), 0)::bigint as used_bytes from media where workspace_id = $1`);

/** The bytes of all files of the workspace. */
export async function readUsage(connection: Connection, workspace_id: string): Promise<number> {
  return (await selectUsage(connection, [workspace_id]))[0]!.used_bytes;
}

/** The same, while uploads of the workspace that read it so wait for the end of the transaction. */
export async function lockMediaUsage(tx: Transaction, workspace_id: string): Promise<number> {
  await lockUsage(tx, [workspace_id]);
  return readUsage(tx, workspace_id);
}

export async function insertMedia(connection: Connection, media: NewMedia): Promise<void> {
  await run(connection, build.insertInto('media').values(media));
}

export function findMediaRow(connection: Connection, { workspace_id, id }: FileKey): Promise<MediaRow | undefined> {
  const query = build
    .selectFrom('media')
    .select(['id', 'mime', 'filename', 'size_bytes'])
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id);
  return runFirst(connection, query);
}

const selectForUse = statement<MediaRow & FileKey>(`
  select m.workspace_id, m.id, m.mime, m.filename, m.size_bytes
  from media m join json_to_recordset($1) as w (workspace_id uuid, id uuid) using (workspace_id, id)
  order by m.workspace_id, m.id
  for key share of m`);

/** Reads media and keeps them from the sweep until the transaction, which names them, ends. */
export function lockForUse(tx: Transaction, keys: readonly FileKey[]): Promise<(MediaRow & FileKey)[]> {
  return selectForUse(tx, [JSON.stringify(keys.map(({ workspace_id, id }) => ({ workspace_id, id })))]);
}

// A locked row is about to be named, so it stays. Waiting for its lock could deadlock with an erasure.
const lockFree = statement<{ id: string }>(`
  select id from media where workspace_id = $1 and id = any ($2::uuid[])
  order by workspace_id, id for update skip locked`);

// Runs after the lock, so it sees the messages of earlier transactions that named one of the media.
const deleteUnnamed = statement<FileKey>(`
  delete from media d using unnest($2::uuid[]) as w (id)
  where d.workspace_id = $1 and d.id = w.id
    and not exists (select from messages m where m.workspace_id = d.workspace_id and m.media_id = d.id)
  returning d.workspace_id, d.id`);

/** Locks those of the media that no transaction is about to name. */
export async function lockUnused(tx: Transaction, workspace_id: string, ids: readonly string[]): Promise<string[]> {
  return (await lockFree(tx, [workspace_id, ids])).map(({ id }) => id);
}

/** Deletes those of the locked media that no message names any more, and returns their keys. */
export function deleteUnused(tx: Transaction, workspace_id: string, ids: readonly string[]): Promise<FileKey[]> {
  return deleteUnnamed(tx, [workspace_id, ids]);
}

export interface OldMedia extends FileKey {
  created_at: Date;
  is_named: boolean;
}

/** A position in the list by age. A null id precedes all media of its time. */
export interface MediaPosition {
  created_at: Date;
  id: string | null;
}

const selectOld = statement<OldMedia>(`
  select p.workspace_id, p.id, p.created_at,
    exists (select from messages m where m.workspace_id = p.workspace_id and m.media_id = p.id) as is_named
  from (
    select workspace_id, id, created_at from media
    where created_at < $1 and created_at >= $2 and ($3::uuid is null or (created_at, id) > ($2, $3))
    order by created_at, id
    limit $4
  ) p
  order by p.created_at, p.id`);

/** Lists media older than `before`, oldest first, after a position, and whether a message names each. */
export function listOld(
  connection: Connection,
  before: Date,
  after: MediaPosition,
  count: number,
): Promise<OldMedia[]> {
  return selectOld(connection, [before, after.created_at, after.id, count]);
}

const selectUnknown = statement<FileKey>(`
  select k.workspace_id, k.id from json_to_recordset($1) as k (workspace_id uuid, id uuid)
  where not exists (select from media m where m.workspace_id = k.workspace_id and m.id = k.id)`);

/** Selects the files without a row. */
export function findUnknown(connection: Connection, keys: readonly FileKey[]): Promise<FileKey[]> {
  return selectUnknown(connection, [JSON.stringify(keys)]);
}

/** A file, the number that sends it, and the platform's copy for that number. */
export interface MediaForPlatform extends MediaRow {
  phone_number_id: string;
  /** Sealed. */
  access_token: Buffer;
  platform_media_id: string | null;
  has_fault: boolean;
}

const selectForPlatform = statement<MediaForPlatform>(`
  select m.id, m.mime, m.filename, m.size_bytes, c.phone_number_id, c.access_token, p.platform_media_id,
    coalesce(c.fault_until > $4, false) as has_fault
  from media m
  join channels c on c.workspace_id = m.workspace_id and c.id = $3
  left join media_on_platform p on p.workspace_id = m.workspace_id and p.media_id = m.id and p.channel_id = c.id
    and p.expires_at > $4
  where m.workspace_id = $1 and m.id = $2`);

export interface PlatformCopy {
  workspace_id: string;
  media_id: string;
  channel_id: string;
}

export async function findForPlatform(
  connection: Connection,
  { workspace_id, media_id, channel_id }: PlatformCopy,
  now: Date,
): Promise<MediaForPlatform | undefined> {
  return (await selectForPlatform(connection, [workspace_id, media_id, channel_id, now]))[0];
}

// Inserts nothing if the file was removed during the upload.
const upsertCopy = statement(`
  insert into media_on_platform (workspace_id, media_id, channel_id, platform_media_id, expires_at)
  select workspace_id, id, $3, $4, $5 from media where workspace_id = $1 and id = $2
  on conflict (workspace_id, media_id, channel_id)
  do update set platform_media_id = excluded.platform_media_id, expires_at = excluded.expires_at`);

export async function rememberCopy(
  connection: Connection,
  { workspace_id, media_id, channel_id }: PlatformCopy,
  platform_media_id: string,
  expires_at: Date,
): Promise<void> {
  await upsertCopy(connection, [workspace_id, media_id, channel_id, platform_media_id, expires_at]);
}

const deleteCopy = statement(`
  delete from media_on_platform where workspace_id = $1 and media_id = $2 and channel_id = $3`);

/** Deletes the id of a copy that the platform no longer has. */
export async function forgetCopy(connection: Connection, copy: PlatformCopy): Promise<void> {
  await deleteCopy(connection, [copy.workspace_id, copy.media_id, copy.channel_id]);
}
