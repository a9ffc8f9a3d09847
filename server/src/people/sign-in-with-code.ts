import { type Transaction, transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { isOpenable } from '../secrets/encrypt.ts';
import type { Client } from './client.ts';
import { lockPerson, type Person, updatePerson } from './people.ts';
import { endSession, mayAwaitCode, openSession, type PersonSession } from './sessions.ts';
import type { SignedIn, SignInContext } from './sign-in.ts';
import { throttleCode } from './throttle.ts';
import { findStep, totpContext, useRecoveryCode } from './totp.ts';

/** Completes a sign-in whose password was right, with a code of the app or a recovery code. Makes a new session. */
export async function signInWithCode(
  { pool, clock, limiter, secretBox }: SignInContext,
  { session, code, client }: { session: PersonSession | undefined; code: string; client: Client },
): Promise<SignedIn> {
  if (!session?.awaits_code || !mayAwaitCode(session, clock)) {
    throw new Refusal('sign_in_failed', { detail: 'The sign-in took too long: begin again.' });
  }
  await throttleCode(limiter, client.address, session.person_id);
  return transaction(pool, async (tx) => {
    // The lock lets one code sign in once.
    const person = await lockPerson(tx, session.person_id);
    // A secret of which no code was given yet is no factor.
    if (!person.totp_enabled_at) throw new Refusal('sign_in_failed');
    const isCode = await useTotpCode(tx, { clock, secretBox }, person, code);
    if (!isCode && !(await useRecoveryCode(tx, person.id, code))) {
      throw new Refusal('sign_in_failed', { detail: 'The code is wrong or was used.' });
    }
    if (!(await endSession(tx, session.id))) throw new Refusal('sign_in_failed');
    const { token } = await openSession(tx, clock, { person_id: person.id, client, method: session.method });
    return { state: 'signed_in', token, account: person.email };
  });
}

/** Accepts a code of the person's app once. The person's row must be locked. After a loss of SECRET_KEY, no code is right. */
export async function useTotpCode(
  tx: Transaction,
  { clock, secretBox }: Pick<SignInContext, 'clock' | 'secretBox'>,
  { id, totp_secret, totp_last_step }: Person,
  code: string,
): Promise<boolean> {
  if (!isOpenable(secretBox, totp_secret!)) return false;
  const step = findStep(secretBox.open(totp_secret!, totpContext(id)), code, clock.nowMs(), totp_last_step);
  if (step === undefined) return false;
  await updatePerson(tx, id, { totp_last_step: step });
  return true;
}
