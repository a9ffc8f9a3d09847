import type { FastifyInstance } from 'fastify';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';

type UploadQuery = { phone_number_id?: string; mime_type?: string; filename?: string; voice?: string };

/** Media that the page shows or the customer sends. */
export function mediaControl(app: FastifyInstance, world: World): void {
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  app.post<{ Querystring: UploadQuery; Body: Buffer }>('/media', async (request, reply) => {
    const { phone_number_id = '', mime_type = '', filename, voice } = request.query;
    if (!/^[\w.+-]+\/[\w.+-]+(; ?[\w=.-]+)?$/.test(mime_type)) throw new ControlError(400, 'mime_type is not valid');
    const { id } = world.media.add(
      {
        id: `79${world.random.digits(13)}`,
        phone_number_id,
        mime_type,
        bytes: request.body,
        ...(filename !== undefined && { filename }),
        ...(voice === 'true' && { voice: true }),
      },
      'customer',
      world.now(),
    );
    return reply.code(201).send({ id });
  });
  app.get<{ Params: { id: string } }>('/media/:id', async (request, reply) => {
    const media = world.media.get(request.params.id, world.now());
    if (media === undefined) throw new ControlError(404, `no medium ${request.params.id}`);
    const shown = /^(image|video|audio)\//.test(media.mime_type) && media.mime_type !== 'image/svg+xml';
    return (
      reply
        .type(shown ? media.mime_type : 'application/octet-stream')
        // An uploaded file must not run as a page of this origin.
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('x-content-type-options', 'nosniff')
        .header('content-disposition', shown ? 'inline' : 'attachment')
        .send(media.bytes)
    );
  });
}
