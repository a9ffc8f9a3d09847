import type { FastifyRequest } from 'fastify';
import { newId } from '../database/ids.ts';
import { takeUpload } from '../http/body/take-upload.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Resources } from '../process/resources.ts';
import { cleanFilename } from './clean-filename.ts';
import { insertMedia, type MediaRow } from './queries.ts';
import { type ReceivedFile, receiveFile } from './receive-file.ts';

/**
 * Stores the file of a form. The row is written last, after the bytes are durable. An upload that breaks off earlier leaves
 * no row, and the sweep removes its bytes.
 */
export async function uploadMedia(resources: Resources, request: FastifyRequest): Promise<MediaRow> {
  const { pool, clock, config, files } = resources;
  let filename: string | undefined;
  const timeout_ms = config.uploadTimeoutSeconds * 1000;
  const received = await takeUpload(request, { timeout_ms }, (upload) => {
    filename = cleanFilename(upload.filename);
    return receiveFile(files, upload.chunks, filename).catch(refuseAway(resources));
  });
  const key = { workspace_id: request.caller.workspace_id, id: newId(clock) };
  await files.keep(key, received.file).catch(async (error) => {
    await received.discard();
    return refuseAway(resources)(error);
  });
  const { mime, size_bytes } = received satisfies ReceivedFile;
  const media = { ...key, mime, filename: filename ?? null, size_bytes };
  await insertMedia(pool, { ...media, created_at: clock.now() });
  return media;
}

/** Answers 503 for a full disk or an unreachable object storage: the client may retry. */
function refuseAway({ log }: Resources): (error: unknown) => never {
  return (error) => {
    if (error instanceof Refusal) throw error;
    log.error({ err: error }, 'a file could not be stored');
    throw new Refusal('service_unavailable', { headers: { 'Retry-After': '5' } });
  };
}
