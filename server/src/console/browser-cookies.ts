import type { FastifyReply, FastifyRequest } from 'fastify';
import { challengeSeconds } from '../people/challenges.ts';
import { deviceSeconds } from '../people/devices.ts';
import { absoluteSeconds } from '../people/sessions.ts';

/** A cookie that scripts cannot read, and that other sites cannot send with a write. */
export interface BrowserCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

export function createSessionCookie(publicUrl: string): BrowserCookie {
  return createCookie(publicUrl, { https: '__Host-majlis', http: 'majlis_session' }, absoluteSeconds);
}

/** Names a browser in which an account signed in before. */
export function createDeviceCookie(publicUrl: string): BrowserCookie {
  return createCookie(publicUrl, { https: '__Host-majlis-device', http: 'majlis_device' }, deviceSeconds);
}

/** Binds a visit to the identity provider to this browser. */
export function createOidcStateCookie(publicUrl: string): BrowserCookie {
  return createCookie(publicUrl, { https: '__Host-majlis-oidc', http: 'majlis_oidc' }, challengeSeconds);
}

/**
 * On https the cookie has the prefix `__Host-`, so that no neighbouring domain can set it. Browsers refuse such a cookie on
 * plain http, as in a LAN.
 */
function createCookie(publicUrl: string, names: { https: string; http: string }, maxAge: number): BrowserCookie {
  const secure = new URL(publicUrl).protocol === 'https:';
  const name = secure ? names.https : names.http;
  const options = { path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
  return {
    read: (request) => request.cookies[name],
    set: (reply, token) => void reply.setCookie(name, token, { ...options, maxAge }),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}
