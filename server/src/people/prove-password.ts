import { verifyPassword } from './password.ts';
import type { Person } from './people.ts';
import type { Client } from './sessions.ts';
import type { SignInContext } from './sign-in.ts';
import { throttleAttempt } from './throttle.ts';

interface PasswordProof {
  /** The address that is tried, in lower case, whether or not it has an account. */
  account: string;
  /** Undefined for an address without an account, which takes as long. */
  person: Person | undefined;
  password: string;
  client: Client;
}

/** The one way to try a password: counted against the account, the address of the client, and both together. */
export async function provePassword(
  { limiter }: Pick<SignInContext, 'limiter'>,
  { account, person, password, client }: PasswordProof,
): Promise<boolean> {
  await throttleAttempt(limiter, client.address, account);
  return verifyPassword(password, person?.password_hash);
}
