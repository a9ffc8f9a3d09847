import { transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { isOpenable } from '../secrets/encrypt.ts';
import { checkPassword } from './check-password.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { findPerson, lockPerson, updatePerson } from './people.ts';
import { confirmSession, endSessionsOf, type PersonSession } from './sessions.ts';
import type { SignInContext } from './sign-in.ts';
import { throttleAttempt } from './throttle.ts';
import { findStep, newRecoveryCodes, newTotp, replaceRecoveryCodes, totpContext } from './totp.ts';

/** Proves the identity again with the password. */
export async function confirmWithPassword(
  { pool, clock, limiter }: SignInContext,
  { session, password, address }: { session: PersonSession; password: string; address: string },
): Promise<void> {
  await throttleAttempt(limiter, address, `confirm ${session.person_id}`);
  const person = await findPerson(pool, session.person_id);
  if (!(await verifyPassword(password, person?.password_hash))) {
    throw new Refusal('sign_in_failed', { detail: 'The password is wrong.' });
  }
  await confirmSession(pool, clock, session.id);
}

/** All other sessions end, since a stranger may have one of them. */
export async function changePassword(
  { pool }: SignInContext,
  { session, password }: { session: PersonSession; password: string },
): Promise<void> {
  const person = await findPerson(pool, session.person_id);
  await checkPassword(password, person!.email);
  const password_hash = await hashPassword(password);
  await transaction(pool, async (tx) => {
    await updatePerson(tx, session.person_id, { password_hash });
    await endSessionsOf(tx, session.person_id, session.id);
  });
}

/** Stores a new secret, which counts once a code of it has been given. */
export async function beginTotp(
  { pool, secretBox }: SignInContext,
  { person_id }: PersonSession,
): Promise<{ secret: string; uri: string }> {
  return transaction(pool, async (tx) => {
    const person = await lockPerson(tx, person_id);
    if (person!.totp_enabled_at)
      throw invalid({ detail: 'An authenticator app is in use: remove it first.', pointer: '' });
    const { secret, uri } = newTotp(person!.email);
    await updatePerson(tx, person_id, { totp_secret: secretBox.seal(secret, totpContext(person_id)) });
    return { secret, uri };
  });
}

/** Answers recovery codes, which are shown once. */
export async function enableTotp(
  { pool, clock, secretBox, limiter }: SignInContext,
  { session, code, address }: { session: PersonSession; code: string; address: string },
): Promise<string[]> {
  await throttleAttempt(limiter, address, `code ${session.person_id}`);
  return transaction(pool, async (tx) => {
    const person = await lockPerson(tx, session.person_id);
    const sealed = person!.totp_secret;
    if (!sealed || !isOpenable(secretBox, sealed) || person!.totp_enabled_at)
      throw invalid({ detail: 'Begin to use an app first.', pointer: '' });
    const step = findStep(secretBox.open(sealed, totpContext(session.person_id)), code, clock.nowMs(), null);
    if (step === undefined) throw new Refusal('sign_in_failed', { detail: 'The code is wrong.' });
    await updatePerson(tx, session.person_id, { totp_enabled_at: clock.now(), totp_last_step: step });
    const codes = newRecoveryCodes();
    await replaceRecoveryCodes(tx, session.person_id, codes);
    return codes;
  });
}

export async function disableTotp({ pool }: SignInContext, { person_id }: PersonSession): Promise<void> {
  await transaction(pool, async (tx) => {
    await updatePerson(tx, person_id, { totp_secret: null, totp_enabled_at: null, totp_last_step: null });
    await replaceRecoveryCodes(tx, person_id, []);
  });
}
