import { transaction } from '../database/transaction.ts';
import type { RateLimiter } from '../http/limit-rate/rate-limiter.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import type { Resources } from '../process/resources.ts';
import type { Client } from './client.ts';
import { findPersonByEmail, lockPerson, normalizeEmail } from './people.ts';
import { provePassword } from './prove-password.ts';
import type { PersonSession } from './sessions.ts';
import { openSession } from './sessions.ts';

export interface SignedIn {
  state: 'signed_in' | 'second_factor';
  /** For the cookie. */
  token: string;
  /** The e-mail address of the person. */
  account: string;
}

/** A browser, and its session where it has one. */
export interface Visit {
  client: Client;
  session?: PersonSession | undefined;
}

/** The parts of the process that sign-ins use. */
export interface SignInContext extends Pick<Resources, 'pool' | 'clock' | 'secretBox' | 'config'> {
  limiter: RateLimiter;
}

// Far above any password, so that a huge one costs nothing.
const longestInput = 1_000;

/** The answer for an unknown account is that of a wrong password, and takes as long. */
export async function signInWithPassword(
  context: SignInContext,
  { email, password, client, session }: { email: string; password: string } & Visit,
): Promise<SignedIn> {
  const { pool, clock } = context;
  if (email.length > longestInput) throw invalid({ detail: 'is too long for an e-mail address', pointer: '/email' });
  if (password.length > longestInput) throw invalid({ detail: 'is too long for a password', pointer: '/password' });
  const address = normalizeEmail(email);
  const wrong = new Refusal('sign_in_failed', { detail: 'The e-mail address or the password is wrong.' });
  const known = await findPersonByEmail(pool, address);
  const proven = await provePassword(context, { account: address, person: known, password, client, session });
  if (!proven) throw wrong;
  return transaction(pool, async (tx) => {
    // A new password or a proof of the address at this moment ends the one that was typed.
    const person = await lockPerson(tx, proven.id);
    if (person.password_hash !== proven.password_hash) throw wrong;
    const awaits_code = person.totp_enabled_at !== null;
    const { token } = await openSession(tx, clock, { person_id: person.id, client, method: 'password', awaits_code });
    return { state: awaits_code ? 'second_factor' : 'signed_in', token, account: person.email };
  });
}
