import type { FastifyRequest } from 'fastify';
import { Refusal } from '../http/reply/refusal.ts';

/**
 * Refuses requests that a page of another site made. Browsers say so by `Sec-Fetch-Site`; older ones send `Origin` with every
 * write. A client that sends neither is no browser and has no cookie of a person.
 */
export function refuseOtherSites({ headers, method, host }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isRead = method === 'GET' || method === 'HEAD';
  const isOwn =
    site === undefined ? isOwnOrigin(headers.origin, host) : site === 'same-origin' || (isRead && site === 'none');
  if (!isOwn) throw new Refusal('cross_site_request');
}

function isOwnOrigin(origin: string | undefined, host: string): boolean {
  if (origin === undefined) return true;
  return URL.parse(origin)?.host === host;
}
