import { mayAct, type Role } from '@majlis/console-api';
import type { FastifyRequest } from 'fastify';
import { parseId } from '../database/ids.ts';
import type { Caller } from '../http/authenticate.ts';
import type { RateLimiter } from '../http/limit-rate/rate-limiter.ts';
import { rateLimited } from '../http/limit-requests.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { findMembership } from '../people/memberships.ts';
import { createFindSession, isConfirmed, type PersonSession, touchSession } from '../people/sessions.ts';
import type { Resources } from '../process/resources.ts';
import { createSessionCookie } from './browser-cookies.ts';

/** A person who acts in a workspace. */
export interface PersonCaller extends Caller {
  user_id: string;
  is_person: true;
  role: Role;
  own_teams_only: boolean;
  /** Where the request came from. */
  address: string;
  session: PersonSession;
}

export interface AuthenticatePerson {
  /** The session of the cookie. It may still await its code. */
  findSession(request: FastifyRequest): Promise<PersonSession | undefined>;
  /** Refuses a request without a session, and counts the others against the person's own limit. */
  requireSession(request: FastifyRequest): Promise<PersonSession>;
  /** The workspace is that of the path: 404 for one that the person does not belong to, as for an unknown one. */
  requireCaller(request: FastifyRequest, session: PersonSession, least: Role): Promise<PersonCaller>;
  requireConfirmed(session: PersonSession): void;
}

// Ten requests a second for a minute: a console that scrolls and searches stays far below.
const personLimit = { limit: 600, window_ms: 60_000 };

export function createAuthenticatePerson(
  { pool, clock, config }: Pick<Resources, 'pool' | 'clock' | 'config'>,
  limiter: RateLimiter,
): AuthenticatePerson {
  const cookie = createSessionCookie(config.publicUrl);
  const find = createFindSession(pool, clock);

  async function findSession(request: FastifyRequest): Promise<PersonSession | undefined> {
    const token = cookie.read(request);
    return token === undefined ? undefined : find(token);
  }

  return {
    findSession,
    async requireSession(request) {
      const session = await findSession(request);
      // The dead cookie stays: the browser may have a new one when the refusal arrives.
      if (!session || session.awaits_code) throw new Refusal('signed_out');
      if (config.rateLimits) {
        const admission = await limiter.admit([{ key: `person ${session.person_id}:requests`, ...personLimit }]);
        if (!admission.admitted)
          throw rateLimited({ ...admission, what: `${personLimit.limit} requests a minute for each person` });
      }
      await touchSession(pool, clock, session);
      return session;
    },
    async requireCaller(request, session, least) {
      const workspace_id = parseId('workspace', (request.params as { workspace_id: string }).workspace_id);
      const membership = workspace_id && (await findMembership(pool, session.person_id, workspace_id));
      if (!membership) throw new Refusal('not_found');
      const { role } = membership;
      if (!mayAct(role, least)) {
        throw new Refusal('role_insufficient', { detail: `This needs the role ${least}; yours is ${role}.` });
      }
      return { ...membership, is_person: true, session, address: request.ip };
    },
    requireConfirmed(session) {
      if (!isConfirmed(session, clock)) throw new Refusal('confirmation_required');
    },
  };
}
