import { parseId } from '../database/ids.ts';
import type { FileKey, FileStore } from '../files/file-store.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Download } from '../http/reply/send-bytes.ts';
import type { Resources } from '../process/resources.ts';
import { disposition } from './disposition.ts';
import { findMediaRow, type MediaRow } from './queries.ts';
import { isShown } from './rules.ts';

/** The bytes of a file of the workspace, with headers that keep a browser from running them (hazard H92). */
export async function downloadMedia(
  { pool, files, log }: Resources,
  workspace_id: string,
  media_id: string,
): Promise<Download> {
  const id = parseId('media', media_id);
  const media = id && (await findMediaRow(pool, { workspace_id, id }));
  const download = media && (await openDownload(files, { workspace_id, id: media.id }, media));
  if (media && !download) log.error({ media_id }, 'the bytes of a file are not where they were kept');
  if (!download) throw new Refusal('not_found');
  return download;
}

/** Undefined if the bytes are gone. */
export async function openDownload(files: FileStore, key: FileKey, media: MediaRow): Promise<Download | undefined> {
  const file = await files.open(key);
  return file && { bytes: file.bytes, headers: { ...safeHeaders(media), 'Content-Length': file.size_bytes } };
}

function safeHeaders({ mime, filename }: MediaRow): Record<string, string> {
  return {
    'Content-Type': mime,
    'Content-Disposition': disposition(isShown(mime) ? 'inline' : 'attachment', filename),
    // The type was sniffed at upload. `nosniff` keeps a browser from choosing another.
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cross-Origin-Resource-Policy': 'same-site',
    'Cache-Control': 'private',
  };
}
