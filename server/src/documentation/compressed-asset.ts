import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Content that is compressed once and that browsers keep. */
export interface CompressedAsset {
  type: string;
  etag: string;
  plain: Buffer;
  gzipped: Buffer;
}

const gzip = promisify(zlib.gzip);

export async function compressAsset(type: string, text: string): Promise<CompressedAsset> {
  const plain = Buffer.from(text);
  const etag = hash('sha256', plain, 'base64url').slice(0, 22);
  return { type, etag, plain, gzipped: await gzip(plain, { level: 9 }) };
}

/** A browser that has the content gets 304. Under an address with its `etag`, it need not even ask. */
export function sendAsset(
  { type, etag, plain, gzipped }: CompressedAsset,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const tag = `W/"${etag}"`;
  const isVersioned = request.url.endsWith(`?v=${etag}`);
  reply.headers({
    ETag: tag,
    Vary: 'Accept-Encoding',
    'Cache-Control': isVersioned ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send();
  reply.type(type);
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers['accept-encoding'] ?? '');
  if (!takesGzip) return reply.send(plain);
  return reply.header('Content-Encoding', 'gzip').send(gzipped);
}
