import type { Readable } from 'node:stream';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, Refusal } from '../reply/refusal.ts';
import { watchUpload } from './watch-upload.ts';

/** The file of a form, while it arrives. */
export interface Upload {
  /** As the client wrote it, path and all; undefined where it gave none. */
  filename: string | undefined;
  /** Once. What the sender did wrong on the way is thrown as a `Refusal`. */
  chunks: AsyncIterable<Buffer>;
}

// The contract has one part. More of them are no error as long as they are few and small.
const formLimits = { fields: 20, parts: 30, files: 2, fieldSize: 65_536, headerPairs: 50, headerSize: 16_384 };
// How long what is left of a refused body may come in, so that the client gets to read the answer.
const drainMs = 10_000;

/** Makes this app read forms in place of JSON bodies. */
export async function takeForms(app: FastifyInstance): Promise<void> {
  // The size of the file is for whoever takes it to judge.
  await app.register(multipart, {
    limits: { ...formLimits, fileSize: Number.POSITIVE_INFINITY },
    throwFileSizeLimit: false,
    preservePath: true,
  });
}

/**
 * Reads a form and gives its one file, in the part `file`, to `take`; answers what that made of it once the form has
 * come to its end, and discards it where it does not. What is wrong with the form is refused with 422, and so is a
 * sender that stalls or takes too long.
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
      // Destroyed by whoever is refused in the middle of it; that is no error of its own.
      part.file.on('error', () => {});
      watch.follow(part.file);
      refuseFile(part, taken !== undefined);
      taken = await take({ filename: part.filename, chunks: chunksOf(part.file) });
    }
    if (!taken) throw invalid({ detail: 'is required, and is a file', pointer: '/file' });
    return taken;
  } catch (error) {
    await taken?.discard();
    drain(request);
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

/** Reads on and lets go what comes, for a while: a client that is cut off while it writes would not see why. */
function drain({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  const end = setTimeout(() => raw.socket.destroy(), drainMs).unref();
  // When it has come to its end the connection is good for another request.
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(end));
}
