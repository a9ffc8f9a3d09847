import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countPassed } from '../../files/young-garbage.ts';

/** Bytes and the headers that they are served with, their length among them. */
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
  // To listen would set it flowing before there is anywhere to flow to.
  bytes.on('data', (chunk: Buffer) => countPassed(chunk.length)).pause();
  return reply.send(bytes);
}
