import type { PasskeyProof } from '@majlis/console-api';
import { transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import type { Client } from './client.ts';
import { verifyPasskey } from './passkeys/verify-passkey.ts';
import { findPerson, lockPerson } from './people.ts';
import { provePassword } from './prove-password.ts';
import { confirmSession, type PersonSession } from './sessions.ts';
import type { SignInContext } from './sign-in.ts';
import { useTotpCode } from './sign-in-with-code.ts';
import { throttleCode, throttleKnown } from './throttle.ts';

/** One of the three. */
export interface IdentityProof {
  password?: string | undefined;
  /** Of the authenticator app. */
  code?: string | undefined;
  passkey?: PasskeyProof | undefined;
}

/** Proves the identity again. A person who has no password uses a passkey, the app or the identity provider. */
export async function confirmIdentity(
  context: SignInContext,
  { session, proof, client }: { session: PersonSession; proof: IdentityProof; client: Client },
): Promise<void> {
  const { pool, clock } = context;
  const { password, code, passkey } = proof;
  if ([password, code, passkey].filter((one) => one !== undefined).length !== 1) {
    throw invalid({ detail: 'needs one of password, code and passkey', pointer: '' });
  }
  if (password !== undefined) await confirmPassword(context, session, password, client);
  else if (code !== undefined) await confirmCode(context, session, code, client);
  else await confirmPasskey(context, session, passkey!);
  await confirmSession(pool, clock, session.id);
}

async function confirmPassword(
  context: SignInContext,
  session: PersonSession,
  password: string,
  client: Client,
): Promise<void> {
  const person = await findPerson(context.pool, session.person_id);
  if (await provePassword(context, { account: person.email, person, password, client, session })) return;
  throw new Refusal('sign_in_failed', { detail: 'The password is wrong.' });
}

async function confirmCode(
  context: SignInContext,
  { person_id }: PersonSession,
  code: string,
  { address }: Client,
): Promise<void> {
  await throttleCode(context.limiter, address, person_id);
  await transaction(context.pool, async (tx) => {
    const person = await lockPerson(tx, person_id);
    if (person.totp_enabled_at && (await useTotpCode(tx, context, person, code))) return;
    throw new Refusal('sign_in_failed', { detail: 'The code is wrong or was used.' });
  });
}

async function confirmPasskey(context: SignInContext, session: PersonSession, proof: PasskeyProof): Promise<void> {
  await throttleKnown(context.limiter, session.id, session.person_id);
  const { person_id } = await verifyPasskey(context, {
    proof,
    purpose: 'confirm_with_passkey',
    session_id: session.id,
  });
  if (person_id === session.person_id) return;
  throw new Refusal('sign_in_failed', { detail: 'The passkey is of another person.' });
}
