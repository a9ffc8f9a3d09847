import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countPassed } from '../../files/young-garbage.ts';

/** Bytes with their response headers, the length included. */
export interface Download {
  headers: Record<string, string | number>;
  bytes: Readable;
}

export function sendBytes({ headers, bytes }: Download, { method }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers(headers);
  if (method === 'HEAD') {
    bytes.destroy();
    return reply.send(Readable.from([]));
  }
  // A data listener starts the flow, so the stream is paused until it is piped.
  bytes.on('data', (chunk: Buffer) => countPassed(chunk.length)).pause();
  return reply.send(bytes);
}
