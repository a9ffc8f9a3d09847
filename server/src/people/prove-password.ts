import type { RateLimiter } from '../http/limit-rate/rate-limiter.ts';
import type { SecretBox } from '../secrets/encrypt.ts';
import type { Client } from './client.ts';
import { findDevice } from './devices.ts';
import { verifyPassword } from './password.ts';
import type { Person } from './people.ts';
import type { PersonSession } from './sessions.ts';
import { throttleAttempt, throttleKnown } from './throttle.ts';

interface PasswordProof {
  /** The address that is tried, in lower case, whether or not it has an account. */
  account: string;
  /** Undefined for an address without an account, which takes as long. */
  person: Person | undefined;
  password: string;
  client: Client;
  /** The session of the browser. */
  session?: PersonSession | undefined;
}

/**
 * The one way to try a password. A browser that the account knows has a limit and a queue of its own, so that strangers who
 * guess lock nobody out. All others are counted against the account, the client's address, and both together. Answers the person
 * whose password it is.
 */
export async function provePassword(
  { limiter, secretBox }: { limiter: RateLimiter; secretBox: SecretBox },
  { account, person, password, client, session }: PasswordProof,
): Promise<Person | undefined> {
  const own = person && session?.person_id === person.id ? session.id : undefined;
  const known = own ?? findDevice(secretBox, account, client.device);
  if (known === undefined) await throttleAttempt(limiter, client.address, account);
  else await throttleKnown(limiter, known, account);
  const isRight = await verifyPassword(password, person?.password_hash, { ...client, known });
  return isRight ? person : undefined;
}
