import type { FastifyRequest } from 'fastify';
import { newId } from '../database/ids.ts';
import { takeUpload } from '../http/body/take-upload.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Transact } from '../http/request.ts';
import { DiskLow } from '../process/disk-space.ts';
import type { Resources } from '../process/resources.ts';
import { cleanFilename } from './clean-filename.ts';
import { insertMedia, lockMediaUsage, type MediaRow, type NewMedia, readUsage } from './queries.ts';
import { type ReceivedFile, receiveFile } from './receive-file.ts';

/**
 * Stores the file of a form. The row is written last, after the bytes are durable. An upload that breaks off earlier leaves
 * no row, and the sweep removes its bytes.
 */
export async function uploadMedia(
  resources: Resources,
  request: FastifyRequest,
  transact: Transact,
): Promise<MediaRow> {
  const { pool, clock, config, files } = resources;
  let filename: string | undefined;
  const { workspace_id } = request.caller;
  const timeout_ms = config.uploadTimeoutSeconds * 1000;
  const received = await takeUpload(request, { timeout_ms }, async (upload) => {
    filename = cleanFilename(upload.filename);
    if (config.mediaQuotaMb !== undefined) checkQuota(config.mediaQuotaMb, await readUsage(pool, workspace_id), 1);
    return receiveFile(files, upload.chunks, filename).catch(refuseAway(resources));
  });
  const key = { workspace_id, id: newId(clock) };
  await files.keep(key, received.file).catch(async (error) => {
    await received.discard();
    return refuseAway(resources)(error);
  });
  const { mime, size_bytes } = received satisfies ReceivedFile;
  const media = { ...key, mime, filename: filename ?? null, size_bytes };
  await store(resources, { ...media, created_at: clock.now() }, transact);
  return media;
}

/** Writes the row. Of uploads that together exceed the quota, only those that fit are kept. */
async function store({ config, files }: Resources, media: NewMedia, transact: Transact): Promise<void> {
  const { mediaQuotaMb } = config;
  await transact(async (tx) => {
    if (mediaQuotaMb !== undefined) {
      checkQuota(mediaQuotaMb, await lockMediaUsage(tx, media.workspace_id), media.size_bytes);
    }
    await insertMedia(tx, media);
  }).catch(async (error) => {
    if (error instanceof Refusal) await files.remove(media);
    throw error;
  });
}

function checkQuota(quota_mb: number, used_bytes: number, size_bytes: number): void {
  if (used_bytes + size_bytes <= quota_mb * 1_048_576) return;
  const detail = `The files of a workspace may have ${quota_mb} MB in all: this one does not fit.`;
  throw new Refusal('content_too_large', { detail });
}

/** Answers 503 for a full disk or an unreachable object storage: the client may retry. */
function refuseAway({ log }: Resources): (error: unknown) => never {
  return (error) => {
    if (error instanceof Refusal) throw error;
    if (error instanceof DiskLow) {
      const detail = 'The disk of the service has no room for files at the moment.';
      throw new Refusal('service_unavailable', { detail, headers: { 'Retry-After': '60' } });
    }
    log.error({ err: error }, 'a file could not be stored');
    throw new Refusal('service_unavailable', { headers: { 'Retry-After': '5' } });
  };
}
