import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { StoredMedia } from '../world/media-store.ts';
import type { Dict } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { authenticate, numberFor, tokenOpens } from './authenticate.ts';
import { GraphError, unknownObject } from './graph-error.ts';
import { isUrlValid, mediaPath, mediaUrl } from './media-url.ts';
import { receiveMedia } from './receive-media.ts';

type IdRoute = { Params: { id: string } };
type MediaQuery = { phone_number_id?: string };

export function graphMediaRoutes(app: FastifyInstance, world: World): void {
  app.post<IdRoute>('/:id/media', async (request) => {
    const token = authenticate(world, request.headers.authorization);
    return receiveMedia(world, numberFor(world, token, request.params.id, 'POST'), request);
  });
}

/** Serves the bytes at the address of GET /{media_id}. Errors are HTML, as at the platform. */
export function binaryRoute(app: FastifyInstance, world: World): void {
  app.get(mediaPath, async (request, reply) => {
    const query = request.query as Record<string, string>;
    if (!request.headers['user-agent']) return htmlError(reply, 401);
    let token: string;
    try {
      token = authenticate(world, request.headers.authorization);
    } catch {
      return htmlError(reply, 401);
    }
    const media = isUrlValid(world, query) ? world.media.get(query.mid ?? '', world.now()) : undefined;
    const number = world.numbers.get(media?.phone_number_id ?? '');
    if (media === undefined || number === undefined || !tokenOpens(world, token, number.waba_id))
      return htmlError(reply, 404);
    return reply.type(media.mime_type).send(media.bytes);
  });
}

function htmlError(reply: FastifyReply, status: number): FastifyReply {
  return reply
    .code(status)
    .type('text/html')
    .send('<!DOCTYPE html><html><body>Sorry, this page is not available.</body></html>');
}

/** The medium of a GET or DELETE; undefined where the id names none. */
export function findMedia(world: World, token: string, id: string, request: FastifyRequest): StoredMedia | undefined {
  const media = world.media.get(id, world.now());
  if (media === undefined) return undefined;
  const number = world.numbers.get(media.phone_number_id);
  if (number === undefined || !tokenOpens(world, token, number.waba_id)) throw unknownObject(request.method, id);
  const wanted = (request.query as MediaQuery).phone_number_id;
  if (wanted !== undefined && wanted !== media.phone_number_id) {
    throw new GraphError(100, { message: '(#100) Param phone_number_id does not own this media.' });
  }
  return media;
}

export function presentGraphMedia(world: World, media: StoredMedia): Dict {
  const size = media.bytes.length;
  return {
    messaging_product: 'whatsapp',
    url: mediaUrl(world, media.id),
    mime_type: media.mime_type,
    sha256: media.sha256,
    file_size: world.switches.file_size === 'string' ? String(size) : size,
    id: media.id,
  };
}
