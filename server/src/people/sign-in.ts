import type { RateLimiter } from '../http/limit-rate/rate-limiter.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import type { Resources } from '../process/resources.ts';
import { verifyPassword } from './password.ts';
import { findPersonByEmail, normalizeEmail } from './people.ts';
import { type Client, openSession } from './sessions.ts';
import { throttleAttempt } from './throttle.ts';

export interface SignedIn {
  state: 'signed_in' | 'second_factor';
  /** For the cookie. */
  token: string;
}

/** The parts of the process that sign-ins use. */
export interface SignInContext extends Pick<Resources, 'pool' | 'clock' | 'secretBox' | 'config'> {
  limiter: RateLimiter;
}

// Far above any password, so that a huge one costs nothing.
const longestInput = 1_000;

/** The answer for an unknown account is that of a wrong password, and takes as long. */
export async function signInWithPassword(
  { pool, clock, limiter }: SignInContext,
  { email, password, client }: { email: string; password: string; client: Client },
): Promise<SignedIn> {
  if (email.length > longestInput) throw invalid({ detail: 'is too long for an e-mail address', pointer: '/email' });
  if (password.length > longestInput) throw invalid({ detail: 'is too long for a password', pointer: '/password' });
  const address = normalizeEmail(email);
  await throttleAttempt(limiter, client.address, address);
  const person = await findPersonByEmail(pool, address);
  if (!(await verifyPassword(password, person?.password_hash)) || !person) {
    throw new Refusal('sign_in_failed', { detail: 'The e-mail address or the password is wrong.' });
  }
  const awaits_code = person.totp_enabled_at !== null;
  const { token } = await openSession(pool, clock, { person_id: person.id, client, method: 'password', awaits_code });
  return { state: awaits_code ? 'second_factor' : 'signed_in', token };
}
