import { consoleOperations } from '@majlis/console-api';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../http/reply/refusal.ts';
import { replyError } from '../http/reply/reply-error.ts';
import { admit } from '../people/oidc/admit.ts';
import { beginOidc, ownAddress, takeVisit } from '../people/oidc/begin-oidc.ts';
import { confirmWithOidc } from '../people/oidc/confirm-with-oidc.ts';
import { callbackPath, type IdentityProvider } from '../people/oidc/identity-provider.ts';
import { signInWithOidc } from '../people/oidc/sign-in-with-oidc.ts';
import { endSession } from '../people/sessions.ts';
import type { SignInContext } from '../people/sign-in.ts';
import { throttleAttempt, throttleBeginning } from '../people/throttle.ts';
import type { AuthenticatePerson } from './authenticate-person.ts';
import type { BrowserCookie } from './browser-cookies.ts';
import type { ServeConsole } from './serve-console.ts';

interface OidcCallback {
  context: SignInContext;
  provider: IdentityProvider;
  people: AuthenticatePerson;
  sessionCookie: BrowserCookie;
  stateCookie: BrowserCookie;
}

export function oidcRoutes(serve: ServeConsole, context: SignInContext, provider: IdentityProvider | undefined): void {
  const { config, limiter } = context;

  serve(consoleOperations.beginOidcSignIn, async ({ body, client }) => {
    if (!provider) throw new Refusal('not_found');
    await throttleBeginning(limiter, client.address);
    const return_to = ownAddress(config.publicUrl, body.return_to);
    const { url, state } = await beginOidc(context, provider, { return_to, invitation: body.invitation });
    return { status: 200, body: { url }, oidc_state: state };
  });

  serve(consoleOperations.beginOidcConfirmation, async ({ session, client }) => {
    if (!provider) throw new Refusal('not_found');
    await throttleBeginning(limiter, client.address);
    const return_to = `${new URL(config.publicUrl).origin}${confirmedPage}`;
    const { url, state } = await beginOidc(context, provider, { return_to, session_id: session.id });
    return { status: 200, body: { url }, oidc_state: state };
  });
}

const confirmedPage = '/confirmed';

/**
 * The page to which the issuer sends the browser. It comes from another site, so the state in this browser's cookie shows that
 * this browser began the sign-in: a stranger's callback signs nobody in (danger C4).
 */
export async function oidcCallback(
  app: FastifyInstance,
  { context, provider, people, sessionCookie, stateCookie }: OidcCallback,
): Promise<void> {
  const { pool, config, limiter } = context;
  app.setErrorHandler(replyError);
  // A HEAD would use up the visit.
  const options = { exposeHeadRoute: false, config: { measured_as: 'console.oidcCallback' } };
  app.get(callbackPath.slice('/console/v1'.length), options, async (request, reply) => {
    reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer');
    const client = { address: request.ip, user_agent: request.headers['user-agent'] ?? '' };
    const session = await people.findSession(request);
    const state = stateCookie.read(request);
    stateCookie.clear(reply);
    const visit = await takeVisit(context, { state, session_id: session?.id });
    const isConfirmation = visit?.purpose === 'confirm_with_oidc';
    try {
      await throttleAttempt(limiter, client.address);
      if (!visit) throw new Refusal('oidc_failed');
      const callback = new URL(config.publicUrl + callbackPath);
      callback.search = new URL(request.url, config.publicUrl).search;
      // A visit has its state, and one that confirms has its session.
      const claims = await provider.finish(callback, state!, visit);
      if (isConfirmation) {
        await confirmWithOidc(context, { session: session!, claims, issuer: provider.settings.issuer });
      } else {
        const account = admit(claims, provider.settings);
        const { token } = await signInWithOidc(context, { account, invitation: visit.invitation, client });
        if (session) await endSession(pool, session.id);
        sessionCookie.set(reply, token);
      }
      return reply.redirect(visit.return_to, 303);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const failed = new URL(isConfirmation ? confirmedPage : '/', config.publicUrl);
      failed.searchParams.set('failed', error.code);
      return reply.redirect(failed.href, 303);
    }
  });
}
