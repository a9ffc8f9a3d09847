import type { PasskeyProof } from '@majlis/console-api';
import { transaction } from '../../database/transaction.ts';
import type { Client } from '../client.ts';
import { lockPerson } from '../people.ts';
import { openSession } from '../sessions.ts';
import type { SignedIn, SignInContext } from '../sign-in.ts';
import { throttleAttempt } from '../throttle.ts';
import { findPasskey } from './queries.ts';
import { refused, verifyPasskey } from './verify-passkey.ts';

/** A passkey with a check of the person is two factors, so no code of an app is asked for. */
export async function signInWithPasskey(
  context: SignInContext,
  { proof, client }: { proof: PasskeyProof; client: Client },
): Promise<SignedIn> {
  const { pool, clock, limiter } = context;
  await throttleAttempt(limiter, client.address);
  const { person_id, credential_id } = await verifyPasskey(context, { proof, purpose: 'sign_in_with_passkey' });
  return transaction(pool, async (tx) => {
    // A proof of the address at this moment ends the passkey.
    const person = await lockPerson(tx, person_id);
    if (!(await findPasskey(tx, credential_id))) throw refused();
    const { token } = await openSession(tx, clock, { person_id, client, method: 'passkey' });
    return { state: 'signed_in', token, account: person.email };
  });
}
