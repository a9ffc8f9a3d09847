import { randomBytes } from 'node:crypto';
import { isOpenable } from '../../secrets/encrypt.ts';
import { makeChallenge, type Purpose, useChallenge } from '../challenges.ts';
import type { SignInContext } from '../sign-in.ts';
import type { Exchange, IdentityProvider } from './identity-provider.ts';

/** What the service remembers of a visit to the issuer. */
interface Visit extends Exchange {
  return_to: string;
  invitation?: string | undefined;
}

const sealedAs = 'sign_in_challenges.exchange';

/** Answers the issuer's page, and the state, which a cookie binds to this browser. */
export async function beginOidc(
  { pool, clock, secretBox }: SignInContext,
  provider: IdentityProvider,
  order: { return_to: string; invitation?: string | undefined; session_id?: string },
): Promise<{ url: string; state: string }> {
  const { session_id, ...rest } = order;
  const state = randomBytes(32).toString('base64url');
  const { url, exchange } = await provider.begin(state, session_id !== undefined);
  const visit: Visit = { ...exchange, ...rest };
  await makeChallenge(pool, clock, {
    purpose: session_id === undefined ? 'sign_in_with_oidc' : 'confirm_with_oidc',
    session_id,
    token: state,
    exchange: secretBox.seal(JSON.stringify(visit), sealedAs),
  });
  return { url, state };
}

/** Uses up the state of this browser's cookie. Undefined for an unknown, used or old one. */
export async function takeVisit(
  { pool, clock, secretBox }: SignInContext,
  { state, session_id }: { state: string | undefined; session_id: string | undefined },
): Promise<(Visit & { purpose: Purpose }) | undefined> {
  if (state === undefined) return undefined;
  const purposes = ['sign_in_with_oidc', 'confirm_with_oidc'] as const;
  const challenge = await useChallenge(pool, clock, { token: state, purposes, session_id });
  if (!challenge?.exchange || !isOpenable(secretBox, challenge.exchange)) return undefined;
  return { purpose: challenge.purpose, ...(JSON.parse(secretBox.open(challenge.exchange, sealedAs)) as Visit) };
}

/** Refuses an address of another site, also one that browsers would read as such (danger C4). */
export function ownAddress(publicUrl: string, return_to: string | undefined): string {
  const { origin, protocol } = new URL(publicUrl);
  const url = URL.parse(return_to ?? '/', origin);
  // The origin of a blob is that of whoever made it.
  return url?.origin === origin && url.protocol === protocol ? url.href : `${origin}/`;
}
