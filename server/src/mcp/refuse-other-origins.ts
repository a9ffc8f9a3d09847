import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../http/reply/refusal.ts';

/**
 * Refuses requests of pages of other sites, also of a site whose name was pointed at this machine (DNS rebinding): there `Origin`
 * and `Host` agree, so the name must be known. An address in the place of a name cannot be pointed elsewhere.
 */
export function refuseOtherOrigins({ headers: { origin }, host }: FastifyRequest, publicUrl: string): void {
  // Clients that are no browser send none.
  if (origin === undefined) return;
  const page = URL.parse(origin);
  if (page && page.host === host && isKnown(page.hostname, publicUrl)) return;
  throw new Refusal('cross_site_request');
}

function isKnown(name: string, publicUrl: string): boolean {
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === new URL(publicUrl).hostname;
}
