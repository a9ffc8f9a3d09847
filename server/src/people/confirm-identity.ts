import type { PasskeyProof } from '@majlis/console-api';
import { transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { verifyPasskey } from './passkeys/verify-passkey.ts';
import { verifyPassword } from './password.ts';
import { findPerson, lockPerson } from './people.ts';
import { confirmSession, type PersonSession } from './sessions.ts';
import type { SignInContext } from './sign-in.ts';
import { useTotpCode } from './sign-in-with-code.ts';
import { throttleAttempt } from './throttle.ts';

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
  { session, proof, address }: { session: PersonSession; proof: IdentityProof; address: string },
): Promise<void> {
  const { pool, clock, limiter } = context;
  const { password, code, passkey } = proof;
  if ([password, code, passkey].filter((one) => one !== undefined).length !== 1) {
    throw invalid({ detail: 'needs one of password, code and passkey', pointer: '' });
  }
  await throttleAttempt(limiter, address, `confirm ${session.person_id}`);
  if (password !== undefined) await provePassword(context, session, password);
  else if (code !== undefined) await proveCode(context, session, code);
  else await provePasskey(context, session, passkey!);
  await confirmSession(pool, clock, session.id);
}

async function provePassword({ pool }: SignInContext, { person_id }: PersonSession, password: string): Promise<void> {
  const person = await findPerson(pool, person_id);
  if (await verifyPassword(password, person?.password_hash)) return;
  throw new Refusal('sign_in_failed', { detail: 'The password is wrong.' });
}

async function proveCode(context: SignInContext, { person_id }: PersonSession, code: string): Promise<void> {
  await transaction(context.pool, async (tx) => {
    const person = await lockPerson(tx, person_id);
    if (person?.totp_enabled_at && (await useTotpCode(tx, context, person, code))) return;
    throw new Refusal('sign_in_failed', { detail: 'The code is wrong or was used.' });
  });
}

async function provePasskey(context: SignInContext, session: PersonSession, proof: PasskeyProof): Promise<void> {
  const { person_id } = await verifyPasskey(context, {
    proof,
    purpose: 'confirm_with_passkey',
    session_id: session.id,
  });
  if (person_id === session.person_id) return;
  throw new Refusal('sign_in_failed', { detail: 'The passkey is of another person.' });
}
