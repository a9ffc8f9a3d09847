import { transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { checkPassword } from './check-password.ts';
import type { Client } from './client.ts';
import { deleteLinksTo, findLink, useLink } from './links.ts';
import { hashPassword } from './password.ts';
import { findPersonByEmail, lockPerson, updatePerson } from './people.ts';
import { proveAddress } from './prove-address.ts';
import { endSessionsOf, openSession } from './sessions.ts';
import type { SignedIn, SignInContext } from './sign-in.ts';
import { throttleAttempt } from './throttle.ts';

/**
 * Sets a new password with a link, ends all sessions and signs in. The app of a person who proved the address before is still
 * asked for its code: who reads a mailbox is not yet who holds the phone.
 */
export async function resetPassword(
  { pool, clock, limiter }: SignInContext,
  { token, password, client }: { token: string; password: string; client: Client },
): Promise<SignedIn> {
  await throttleAttempt(limiter, client.address);
  const link = await findLink(pool, clock, token);
  if (link?.kind !== 'reset') throw new Refusal('link_invalid');
  await checkPassword(password, link.email);
  const password_hash = await hashPassword(password, client);
  return transaction(pool, async (tx) => {
    // Such a link is made for an account alone.
    const known = await findPersonByEmail(tx, link.email);
    const person = await lockPerson(tx, known!.id);
    const used = await useLink(tx, clock, ['reset'], token);
    if (!used) throw new Refusal('link_invalid');
    await proveAddress(tx, clock, person, { by: 'link', address: client.address });
    await updatePerson(tx, person.id, { password_hash });
    await deleteLinksTo(tx, ['reset'], person.email);
    await endSessionsOf(tx, person.id);
    const awaits_code = person.proven_at !== null && person.totp_enabled_at !== null;
    const session = await openSession(tx, clock, { person_id: person.id, client, method: 'password', awaits_code });
    return { state: awaits_code ? 'second_factor' : 'signed_in', token: session.token, account: person.email };
  });
}
