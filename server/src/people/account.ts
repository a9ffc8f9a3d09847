import { transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { isOpenable } from '../secrets/encrypt.ts';
import { recordOwnAct } from './audit.ts';
import { checkPassword } from './check-password.ts';
import type { Client } from './client.ts';
import { hashPassword } from './password.ts';
import { findPerson, updatePerson } from './people.ts';
import { endSessionsOf, lockOwner, type PersonSession } from './sessions.ts';
import type { SignInContext } from './sign-in.ts';
import { throttleCode } from './throttle.ts';
import { findStep, newRecoveryCodes, newTotp, replaceRecoveryCodes, totpContext } from './totp.ts';

/** All other sessions end, since a stranger may have one of them. */
export async function changePassword(
  { pool, clock }: SignInContext,
  { session, password, client }: { session: PersonSession; password: string; client: Client },
): Promise<void> {
  const person = await findPerson(pool, session.person_id);
  await checkPassword(password, person.email);
  const password_hash = await hashPassword(password, { ...client, known: session.id });
  await transaction(pool, async (tx) => {
    await lockOwner(tx, session);
    await updatePerson(tx, session.person_id, { password_hash });
    await endSessionsOf(tx, session.person_id, session.id);
    await recordOwnAct(tx, clock, { person_id: session.person_id, action: 'changePassword', address: client.address });
  });
}

/** Stores a new secret, which counts once a code of it has been given. */
export async function beginTotp(
  { pool, secretBox }: SignInContext,
  session: PersonSession,
): Promise<{ secret: string; uri: string }> {
  const { person_id } = session;
  return transaction(pool, async (tx) => {
    const person = await lockOwner(tx, session);
    if (person.totp_enabled_at)
      throw invalid({ detail: 'An authenticator app is in use: remove it first.', pointer: '' });
    const { secret, uri } = newTotp(person.email);
    await updatePerson(tx, person_id, { totp_secret: secretBox.seal(secret, totpContext(person_id)) });
    return { secret, uri };
  });
}

/** Answers recovery codes, which are shown once. */
export async function enableTotp(
  { pool, clock, secretBox, limiter }: SignInContext,
  { session, code, address }: { session: PersonSession; code: string; address: string },
): Promise<string[]> {
  await throttleCode(limiter, address, session.person_id);
  return transaction(pool, async (tx) => {
    const person = await lockOwner(tx, session);
    const sealed = person.totp_secret;
    if (!sealed || !isOpenable(secretBox, sealed) || person.totp_enabled_at)
      throw invalid({ detail: 'Begin to use an app first.', pointer: '' });
    const step = findStep(secretBox.open(sealed, totpContext(session.person_id)), code, clock.nowMs(), null);
    if (step === undefined) throw new Refusal('sign_in_failed', { detail: 'The code is wrong.' });
    await updatePerson(tx, session.person_id, { totp_enabled_at: clock.now(), totp_last_step: step });
    const codes = newRecoveryCodes();
    await replaceRecoveryCodes(tx, session.person_id, codes);
    await recordOwnAct(tx, clock, { person_id: session.person_id, action: 'enableTotp', address });
    return codes;
  });
}

export async function disableTotp(
  { pool, clock }: SignInContext,
  { session, address }: { session: PersonSession; address: string },
): Promise<void> {
  const { person_id } = session;
  await transaction(pool, async (tx) => {
    await lockOwner(tx, session);
    await updatePerson(tx, person_id, { totp_secret: null, totp_enabled_at: null, totp_last_step: null });
    await replaceRecoveryCodes(tx, person_id, []);
    await recordOwnAct(tx, clock, { person_id, action: 'disableTotp', address });
  });
}
