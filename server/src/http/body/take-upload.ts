import type { Readable } from 'node:stream';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endUnreadBody } from '../connections/end-unread-body.ts';
import { invalid, Refusal } from '../reply/refusal.ts';
import { watchUpload } from './watch-upload.ts';

/** The file of a form that is being received. */
export interface Upload {
  /** The client's spelling, path included. Undefined if the client sent none. */
  filename: string | undefined;
  /** The chunks can be read once. A fault of the sender is thrown as a `Refusal`. */
  chunks: AsyncIterable<Buffer>;
}

// The contract names one part. A few small parts more are accepted.
const formLimits = { fields: 20, parts: 30, files: 2, fieldSize: 65_536, headerPairs: 50, headerSize: 16_384 };

/** Makes the app read forms instead of JSON bodies. */
export async function takeForms(app: FastifyInstance): Promise<void> {
  // The receiver of the file checks its size.
  await app.register(multipart, {
    limits: { ...formLimits, fileSize: Number.POSITIVE_INFINITY },
    throwFileSizeLimit: false,
    preservePath: true,
  });
}

/**
 * Reads a form and passes the file of the part `file` to `take`. Answers the result of `take` at the end of the form, and
 * discards it if the form breaks off. Malformed forms and slow senders are refused with 422.
 */
export async function takeUpload<Taken extends { discard(): Promise<void> }>(
  request: FastifyRequest,
  { timeout_ms }: { timeout_ms: number },
  take: (upload: Upload) => Promise<Taken>,
): Promise<Taken> {
  if (!request.isMultipart()) {
    throw new Refusal('unprocessable_content', { detail: 'The Content-Type must be multipart/form-data.' });
  }
  const watch = watchUpload(request, timeout_ms);
  let taken: Taken | undefined;
  try {
    const parts = request.parts();
    for (;;) {
      const { done, value: part } = await Promise.race([parts.next(), watch.late]).catch(refuseForm);
      if (done) break;
      if (part.type !== 'file') continue;
      // A refusal in the middle destroys the stream. The refusal is the error that counts.
      part.file.on('error', () => {});
      watch.follow(part.file);
      refuseFile(part, taken !== undefined);
      taken = await take({ filename: part.filename, chunks: chunksOf(part.file) });
    }
    if (!taken) throw invalid({ detail: 'is required, and is a file', pointer: '/file' });
    return taken;
  } catch (error) {
    await taken?.discard();
    // Before the answer: a client that is cut off while it writes would not see it.
    request.raw.unpipe();
    endUnreadBody(request.raw);
    throw error;
  } finally {
    watch.stop();
  }
}

function refuseFile({ fieldname, filename }: MultipartFile, is_second: boolean): void {
  if (fieldname !== 'file' || is_second) {
    throw invalid({ detail: 'is the only file that the form may have', pointer: '/file' });
  }
  if (filename === '') throw invalid({ detail: 'has no name: no file was chosen', pointer: '/file' });
}

async function* chunksOf(file: Readable): AsyncIterable<Buffer> {
  try {
    yield* file as AsyncIterable<Buffer>;
  } catch (error) {
    refuseForm(error);
  }
}

function refuseForm(error: unknown): never {
  if (error instanceof Refusal) throw error;
  throw new Refusal('unprocessable_content', { detail: 'The form could not be read to its end.' });
}
