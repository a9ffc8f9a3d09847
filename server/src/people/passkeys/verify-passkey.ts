import type { PasskeyProof } from '@majlis/console-api';
import { Refusal } from '../../http/reply/refusal.ts';
import { makeChallenge, type Purpose } from '../challenges.ts';
import type { PersonSession } from '../sessions.ts';
import type { SignInContext } from '../sign-in.ts';
import { findPasskey, listPasskeys, type Passkey, recordUse } from './queries.ts';
import { requireRelyingParty } from './relying-party.ts';
import { takeChallenge } from './take-challenge.ts';

/** The options with which the browser proves a passkey: any of the device to sign in, those of the person to confirm. */
export async function beginProof(
  { pool, clock, config }: SignInContext,
  session: PersonSession | undefined,
): Promise<object> {
  const party = requireRelyingParty(config.publicUrl);
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const passkeys = session ? await listPasskeys(pool, session.person_id) : [];
  const challenge = await makeChallenge(
    pool,
    clock,
    session ? { purpose: 'confirm_with_passkey', session_id: session.id } : { purpose: 'sign_in_with_passkey' },
  );
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: Buffer.from(challenge, 'base64url'),
    userVerification: 'required',
    allowCredentials: passkeys.map(({ credential_id }) => ({ id: credential_id })),
  });
}

/**
 * The passkey that signed the challenge, at this service, with a check of the person by the device. Records its use. A counter
 * that does not grow tells a copy of the authenticator.
 */
export async function verifyPasskey(
  { pool, clock, config }: SignInContext,
  { proof, purpose, session_id }: { proof: PasskeyProof; purpose: Purpose; session_id?: string },
): Promise<Passkey> {
  const party = requireRelyingParty(config.publicUrl);
  const challenge = await takeChallenge({ pool, clock }, proof, [purpose], session_id);
  const passkey = await findPasskey(pool, proof.id);
  if (!passkey || !isOwn(passkey, proof)) throw refused();
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const verification = await verifyAuthenticationResponse({
    response: proof as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(() => undefined);
  if (!verification?.verified) throw refused();
  const { newCounter } = verification.authenticationInfo;
  if (!(await recordUse(pool, passkey.id, newCounter, clock.now()))) throw refused();
  return passkey;
}

/** The authenticator names the person for whom it made the passkey. */
function isOwn({ person_id }: Passkey, { response: { userHandle } }: PasskeyProof): boolean {
  return !userHandle || Buffer.from(userHandle, 'base64url').toString('hex') === person_id.replaceAll('-', '');
}

export function refused(): Refusal {
  return new Refusal('sign_in_failed', { detail: 'The passkey was not accepted.' });
}
