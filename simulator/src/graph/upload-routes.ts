import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dict } from '../world/message.ts';
import type { ResumableUpload, World } from '../world/world.ts';
import { authenticate } from './authenticate.ts';
import { GraphError, unknownObject } from './graph-error.ts';

const types = new Set(['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4']);

type UploadQuery = { file_length?: string; file_type?: string };

/** POST /{app_id}/uploads: begins a resumable upload of a template header's sample (section 4.4). */
export function uploadRoutes(app: FastifyInstance, world: World): void {
  app.post<{ Params: { id: string }; Querystring: UploadQuery }>('/:id/uploads', async (request) => {
    authenticate(world, request.headers.authorization);
    const { file_length, file_type } = request.query;
    if (!file_type || !types.has(file_type))
      throw new GraphError(100, { message: '(#100) Param file_type is not supported.' });
    if (!(Number(file_length) > 0))
      throw new GraphError(100, { message: '(#100) The parameter file_length is required.' });
    const id = `upload:MTph${world.random.hex(24)}`;
    world.uploads.set(id, { id, file_type, length: Number(file_length), bytes: Buffer.alloc(0) });
    // The id holds the signature, which reaches the routes as a query.
    return { id: `${id}?sig=ARa${world.random.hex(16)}` };
  });
}

export function isUploadId(id: string): boolean {
  return id.startsWith('upload:');
}

export function readUpload(world: World, id: string): Dict {
  const upload = uploadOf(world, id, 'GET');
  return { id, file_offset: upload.bytes.length };
}

export function continueUpload(world: World, id: string, request: FastifyRequest): Dict {
  const upload = uploadOf(world, id, 'POST');
  const offset = Number(request.headers.file_offset ?? Number.NaN);
  if (offset !== upload.bytes.length)
    throw new GraphError(100, { message: `(#100) file_offset must be ${upload.bytes.length}.` });
  if (Buffer.isBuffer(request.body)) upload.bytes = Buffer.concat([upload.bytes, request.body]);
  if (upload.bytes.length < upload.length) return { id, file_offset: upload.bytes.length };
  const handle = `4::${Buffer.from(upload.file_type).toString('base64')}:ARb${world.random.hex(24)}`;
  world.handles.add(handle);
  world.uploads.delete(id);
  return { h: handle };
}

function uploadOf(world: World, id: string, method: string): ResumableUpload {
  const upload = world.uploads.get(id);
  if (upload === undefined) throw unknownObject(method, id);
  return upload;
}
