import type { FastifyRequest } from 'fastify';
import type { Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { GraphError } from './graph-error.ts';
import { contradicts, maxBytesOf, refusalOfType } from './media-types.ts';

/** POST /{phone_number_id}/media (section 4.1). `messaging_product` may be in the query too, as some SDKs send it. */
export async function receiveMedia(world: World, number: BusinessNumber, request: FastifyRequest): Promise<Dict> {
  if (!request.isMultipart()) throw new GraphError(100, { message: '(#100) The parameter file is required.' });
  const fields: Record<string, unknown> = { ...(request.query as object) };
  let file: { bytes: Buffer; filename: string; mime_type: string } | undefined;
  for await (const part of request.parts()) {
    if (part.type === 'field') fields[part.fieldname] = part.value;
    else file = { bytes: await part.toBuffer(), filename: part.filename, mime_type: part.mimetype };
  }
  if (fields.messaging_product !== 'whatsapp') {
    throw new GraphError(100, { message: '(#100) The parameter messaging_product is required.' });
  }
  if (file === undefined) throw new GraphError(100, { message: '(#100) The parameter file is required.' });
  const refusal = refusalOfType(file.mime_type);
  if (refusal !== undefined) throw new GraphError(100, { message: refusal });
  if (file.bytes.length > maxBytesOf(file.mime_type)) {
    throw new GraphError(100, {
      message: '(#100) Invalid parameter',
      details: 'The file is larger than allowed for its type.',
    });
  }
  if (contradicts(file.filename, file.mime_type)) {
    throw new GraphError(100, {
      message: '(#100) Invalid parameter',
      details: 'The file extension does not match the file type.',
    });
  }
  const media = world.media.add(
    { ...file, id: `79${world.random.digits(13)}`, phone_number_id: number.phone_number_id },
    'business',
    world.now(),
  );
  return { id: media.id };
}
