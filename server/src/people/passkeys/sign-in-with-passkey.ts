import type { PasskeyProof } from '@majlis/console-api';
import { type Client, openSession } from '../sessions.ts';
import type { SignedIn, SignInContext } from '../sign-in.ts';
import { throttleAttempt } from '../throttle.ts';
import { verifyPasskey } from './verify-passkey.ts';

/** A passkey with a check of the person is two factors, so no code of an app is asked for. */
export async function signInWithPasskey(
  context: SignInContext,
  { proof, client }: { proof: PasskeyProof; client: Client },
): Promise<SignedIn> {
  const { pool, clock, limiter } = context;
  await throttleAttempt(limiter, client.address);
  const { person_id } = await verifyPasskey(context, { proof, purpose: 'sign_in_with_passkey' });
  const { token } = await openSession(pool, clock, { person_id, client, method: 'passkey' });
  return { state: 'signed_in', token };
}
