import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ControlError } from './control-error.ts';

/**
 * Refuses requests of other sites' pages (hazard H117). A name that an attacker points at this machine comes as another Host,
 * and a form of another site comes with another Origin. No name leads to an address, so every address may be the Host.
 */
export function refuseOtherSites(app: FastifyInstance, host: string): void {
  app.addHook('onRequest', async ({ headers }) => {
    const { hostname, host: own } = URL.parse(`http://${headers.host}`) ?? {};
    if (hostname === undefined || !(isLocalName(hostname) || isAddress(hostname) || hostname === host.toLowerCase())) {
      throw new ControlError(
        403,
        'the Host of the request is not an address of the simulator: use 127.0.0.1 or localhost',
      );
    }
    if (headers.origin !== undefined && URL.parse(headers.origin)?.host !== own) {
      throw new ControlError(403, 'the request comes from a page of another site');
    }
  });
}

function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/** Requires the control token as bearer token. Pictures and the stream of changes cannot send headers: a GET may name it. */
export function requireToken(app: FastifyInstance, token: string): void {
  const expected = digest(token);
  app.addHook('onRequest', async (request, reply) => {
    if (timingSafeEqual(digest(tokenOf(request)), expected)) return;
    reply.header('www-authenticate', 'Bearer');
    throw new ControlError(401, 'the control token is missing or wrong: see simulator/README.md');
  });
}

function tokenOf({ method, headers, query }: FastifyRequest): string {
  const bearer = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
  return bearer ?? (method === 'GET' ? String((query as { access_token?: string }).access_token) : '');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
