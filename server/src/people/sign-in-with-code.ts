import { transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { isOpenable } from '../secrets/encrypt.ts';
import { lockPerson, updatePerson } from './people.ts';
import { type Client, endSession, mayAwaitCode, openSession, type PersonSession } from './sessions.ts';
import type { SignedIn, SignInContext } from './sign-in.ts';
import { throttleAttempt } from './throttle.ts';
import { findStep, totpContext, useRecoveryCode } from './totp.ts';

/** Completes a sign-in whose password was right, with a code of the app or a recovery code. Makes a new session. */
export async function signInWithCode(
  { pool, clock, limiter, secretBox }: SignInContext,
  { session, code, client }: { session: PersonSession | undefined; code: string; client: Client },
): Promise<SignedIn> {
  if (!session?.awaits_code || !mayAwaitCode(session, clock)) {
    throw new Refusal('sign_in_failed', { detail: 'The sign-in took too long: begin again.' });
  }
  await throttleAttempt(limiter, client.address, `code ${session.person_id}`);
  return transaction(pool, async (tx) => {
    // The lock lets one code sign in once.
    const person = await lockPerson(tx, session.person_id);
    if (!person?.totp_secret) throw new Refusal('sign_in_failed');
    // After a loss of SECRET_KEY, a recovery code signs in.
    const step = isOpenable(secretBox, person.totp_secret)
      ? findStep(secretBox.open(person.totp_secret, totpContext(person.id)), code, clock.nowMs(), person.totp_last_step)
      : undefined;
    if (step !== undefined) await updatePerson(tx, person.id, { totp_last_step: step });
    else if (!(await useRecoveryCode(tx, person.id, code))) {
      throw new Refusal('sign_in_failed', { detail: 'The code is wrong or was used.' });
    }
    await endSession(tx, session.id);
    const { token } = await openSession(tx, clock, { person_id: person.id, client });
    return { state: 'signed_in', token };
  });
}
