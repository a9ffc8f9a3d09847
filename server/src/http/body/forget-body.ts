import type { FastifyRequest } from 'fastify';

/** Leaves the body unread where nothing takes one, so that no answer depends on it. */
export function forgetBody({ headers }: FastifyRequest): void {
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete headers[name];
}
