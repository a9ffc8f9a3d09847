import { consoleOperations, type LinkDetails } from '@majlis/console-api';
import { Refusal } from '../http/reply/refusal.ts';
import { acceptAsSignedIn, acceptInvitation, mayJoin } from '../people/accept-invitation.ts';
import type { Client } from '../people/client.ts';
import { findDevice, makeDevice } from '../people/devices.ts';
import { findLink } from '../people/links.ts';
import { requestReset } from '../people/mail-links.ts';
import { findRelyingParty } from '../people/passkeys/relying-party.ts';
import { signInWithPasskey } from '../people/passkeys/sign-in-with-passkey.ts';
import { findPerson } from '../people/people.ts';
import { resetPassword } from '../people/reset-password.ts';
import { endSession, type PersonSession } from '../people/sessions.ts';
import { type SignedIn, type SignInContext, signInWithPassword } from '../people/sign-in.ts';
import { signInWithCode } from '../people/sign-in-with-code.ts';
import { signInWithLink } from '../people/sign-in-with-link.ts';
import { throttleAttempt } from '../people/throttle.ts';
import { getWorkspace } from '../workspaces/read-workspace.ts';
import type { ConsoleAnswer, ServeConsole } from './serve-console.ts';

export function signInRoutes(serve: ServeConsole, context: SignInContext): void {
  const { pool, clock, limiter, config, secretBox } = context;

  /** A sign-in makes a new session and ends the one of the cookie, so nobody fixes a session for another (danger C4). */
  async function answerWith(
    { state, token, account }: SignedIn,
    client: Client,
    former: PersonSession | undefined,
  ): Promise<ConsoleAnswer> {
    if (former) await endSession(pool, former.id);
    const isKnown = findDevice(secretBox, account, client.device) !== undefined;
    const device = state === 'signed_in' && !isKnown ? makeDevice(secretBox, account) : undefined;
    return { status: 200, body: { state }, session_token: token, device };
  }

  const party = findRelyingParty(config.publicUrl);
  serve(consoleOperations.readSignInMethods, async () => ({
    status: 200,
    body: {
      password: true,
      email: config.smtpUrl !== undefined,
      ...(party && { passkey_origin: party.origin }),
      ...(config.oidc && { oidc_name: config.oidc.name }),
    },
  }));

  serve(consoleOperations.signIn, async ({ body, client, session }) =>
    answerWith(await signInWithPassword(context, { ...body, client, session }), client, session),
  );

  serve(consoleOperations.signInWithCode, async ({ body, client, session }) =>
    answerWith(await signInWithCode(context, { session, code: body.code, client }), client, undefined),
  );

  serve(consoleOperations.signInWithPasskey, async ({ body, client, session }) =>
    answerWith(await signInWithPasskey(context, { proof: body, client }), client, session),
  );

  serve(consoleOperations.signInWithLink, async ({ body, client, session }) =>
    answerWith(await signInWithLink(context, { token: body.token, client }), client, session),
  );

  serve(consoleOperations.acceptInvitation, async ({ body, client, session }) => {
    // Here and not in both ways to accept: whoever is signed in may try the one and then the other with the same link.
    await throttleAttempt(limiter, client.address);
    const isAccepted = await acceptAsSignedIn(context, { token: body.token, session });
    if (isAccepted) return { status: 200, body: { state: 'signed_in' } };
    return answerWith(await acceptInvitation(context, { ...body, client }), client, session);
  });

  serve(consoleOperations.readLink, async ({ body, client, session }) => {
    await throttleAttempt(limiter, client.address);
    const link = await findLink(pool, clock, body.token);
    if (!link) throw new Refusal('link_invalid');
    const { kind, email, expires_at, workspace_id, role } = link;
    // Nothing here depends on whether the address has an account: an admin may hold the link of any address.
    const person = session && !session.awaits_code ? await findPerson(pool, session.person_id) : undefined;
    const details: LinkDetails = {
      kind,
      email,
      expires_at: expires_at.toISOString(),
      ...(workspace_id && { workspace_name: (await getWorkspace(pool, workspace_id)).name }),
      ...(role && { role }),
      is_yours: person !== undefined && mayJoin(person, link),
    };
    return { status: 200, body: details };
  });

  serve(consoleOperations.requestPasswordReset, async ({ body, client }) => {
    await throttleAttempt(limiter, client.address, `reset ${body.email.slice(0, 300)}`);
    await requestReset(context, body.email);
    return { status: 204 };
  });

  serve(consoleOperations.resetPassword, async ({ body, client, session }) =>
    answerWith(await resetPassword(context, { ...body, client }), client, session),
  );
}
