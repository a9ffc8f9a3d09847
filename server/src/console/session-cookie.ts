import type { FastifyReply, FastifyRequest } from 'fastify';
import { absoluteSeconds } from '../people/sessions.ts';

/** The cookie of a session. Scripts cannot read it, and other sites cannot send it with a write. */
export interface SessionCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

/**
 * On https the cookie has the prefix `__Host-`, so that no neighbouring domain can set it. Browsers refuse such a cookie on
 * plain http, as in a LAN.
 */
export function createSessionCookie(publicUrl: string): SessionCookie {
  const secure = new URL(publicUrl).protocol === 'https:';
  const name = secure ? '__Host-majlis' : 'majlis_session';
  const options = { path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
  return {
    read: (request) => request.cookies[name],
    set: (reply, token) => void reply.setCookie(name, token, { ...options, maxAge: absoluteSeconds }),
    clear: (reply) => void reply.clearCookie(name, options),
  };
}
