import { consoleOperations, endedByProof, type Session } from '@majlis/console-api';
import { publicId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { requireText } from '../http/require-text.ts';
import { readLiveId } from '../live/read-live-id.ts';
import { beginTotp, changePassword, disableTotp, enableTotp } from '../people/account.ts';
import { confirmIdentity } from '../people/confirm-identity.ts';
import { listMemberships } from '../people/memberships.ts';
import { listPasskeys } from '../people/passkeys/queries.ts';
import { findPerson, type Person, updatePerson } from '../people/people.ts';
import { endSession, endSessionOf, listSessions, lockOwner, type PersonSession } from '../people/sessions.ts';
import type { SignInContext } from '../people/sign-in.ts';
import { consoleVersion } from '../process/version.ts';
import type { ServeConsole } from './serve-console.ts';

export function sessionRoutes(serve: ServeConsole, context: SignInContext): void {
  const { pool, clock } = context;

  serve(consoleOperations.readSession, async ({ session }) => ({
    status: 200,
    body: await readSession(context, session),
  }));

  serve(consoleOperations.signOut, async ({ session }) => {
    await endSession(pool, session.id);
    return { status: 204, session_token: null };
  });

  serve(consoleOperations.listSessions, async ({ session }) => {
    const data = (await listSessions(pool, clock, session.person_id)).map((entry) => ({
      id: publicId('session', entry.id),
      current: entry.id === session.id,
      method: entry.method,
      address: entry.address,
      user_agent: entry.user_agent,
      created_at: entry.created_at.toISOString(),
      last_seen_at: entry.last_seen_at.toISOString(),
    }));
    return { status: 200, body: { data } };
  });

  serve(consoleOperations.endSession, async ({ session, params }) => {
    const id = requireId('session', params.session_id);
    if (!(await endSessionOf(pool, session.person_id, id))) throw new Refusal('not_found');
    return { status: 204, ...(id === session.id && { session_token: null }) };
  });

  serve(consoleOperations.confirmIdentity, async ({ session, body, client }) => {
    await confirmIdentity(context, { session, proof: body, client });
    return { status: 204 };
  });

  serve(consoleOperations.updateProfile, async ({ session, body }) => {
    const name = body.name === undefined ? undefined : requireText(body.name, '/name');
    await transaction(pool, async (tx) => {
      await lockOwner(tx, session);
      await updatePerson(tx, session.person_id, { ...body, ...(name !== undefined && { name }) });
    });
    return { status: 204 };
  });

  serve(consoleOperations.changePassword, async ({ session, body, client }) => {
    await changePassword(context, { session, password: body.password, client });
    return { status: 204 };
  });

  serve(consoleOperations.beginTotp, async ({ session }) => ({ status: 200, body: await beginTotp(context, session) }));

  serve(consoleOperations.enableTotp, async ({ session, body, client }) => {
    const recovery_codes = await enableTotp(context, { session, code: body.code, address: client.address });
    return { status: 200, body: { recovery_codes } };
  });

  serve(consoleOperations.disableTotp, async ({ session, client }) => {
    await disableTotp(context, { session, address: client.address });
    return { status: 204 };
  });
}

async function readSession({ pool, clock, config }: SignInContext, session: PersonSession): Promise<Session> {
  // Before everything else: what changes meanwhile comes behind it.
  const live_id = await readLiveId(pool);
  const person = await findPerson(pool, session.person_id);
  const memberships = await listMemberships(pool, session.person_id);
  return {
    person: {
      id: publicId('person', person.id),
      name: person.name,
      email: person.email,
      ...(person.language && { language: person.language }),
      ...(person.theme && { theme: person.theme }),
      single_key_shortcuts: person.single_key_shortcuts,
      shortcuts: person.shortcuts,
      has_password: person.password_hash !== null,
      has_totp: person.totp_enabled_at !== null,
      has_passkey: (await listPasskeys(pool, person.id)).length > 0,
      ...presentProof(person),
      has_oidc: config.oidc !== undefined && person.oidc_issuer === config.oidc.issuer,
    },
    workspaces: memberships.map(({ workspace_id, workspace_name, user_id, role, own_teams_only }) => ({
      workspace_id: publicId('workspace', workspace_id),
      workspace_name,
      user_id: publicId('user', user_id),
      role,
      own_teams_only,
    })),
    session_id: publicId('session', session.id),
    now: clock.now().toISOString(),
    ...(config.simulatorPageUrl && { simulator_url: config.simulatorPageUrl }),
    live_id,
    version: consoleVersion,
  };
}

/** Nothing where the proof of the address ended nothing. */
function presentProof({ proven_at, ended_by_proof }: Person): Pick<Session['person'], 'proof'> {
  const ended = endedByProof.filter((one) => ended_by_proof.includes(one));
  return proven_at && ended.length > 0 ? { proof: { at: proven_at.toISOString(), ended } } : {};
}
