import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a person sees must not stay in a cache of the browser or of a proxy, files of customers no more than their names. */
export async function keepFromCaches(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('Cache-Control', 'no-store');
}
