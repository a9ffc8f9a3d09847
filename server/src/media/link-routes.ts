import type { FastifyInstance } from 'fastify';
import { Refusal } from '../http/reply/refusal.ts';
import { sendBytes } from '../http/reply/send-bytes.ts';
import type { Resources } from '../process/resources.ts';
import { openDownload } from './download-media.ts';
import { linkPath, readLink } from './link.ts';
import { findMedia } from './queries.ts';

/** Serves the files that the platform fetches by link instead of taking an upload. */
export async function mediaLinkRoutes(app: FastifyInstance, resources: Resources): Promise<void> {
  app.get<{ Params: { token: string } }>(`${linkPath}/:token`, async (request, reply) => {
    const key = readLink(resources, request.params.token);
    const media = key && (await findMedia(resources.pool, key));
    const download = media && (await openDownload(resources.files, key, media));
    if (!download) throw new Refusal('not_found');
    return sendBytes(download, request, reply);
  });
}
