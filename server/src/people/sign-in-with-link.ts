import { newId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { findUserName } from '../users/queries.ts';
import { join } from './accept-invitation.ts';
import { useLink } from './links.ts';
import { findPersonByEmail, insertPerson } from './people.ts';
import { type Client, openSession } from './sessions.ts';
import type { SignedIn, SignInContext } from './sign-in.ts';
import { throttleAttempt } from './throttle.ts';

/** Signs in with a link that the operator's command line printed. A first use makes the account, without a password. */
export async function signInWithLink(
  { pool, clock, limiter }: SignInContext,
  { token, client }: { token: string; client: Client },
): Promise<SignedIn> {
  await throttleAttempt(limiter, client.address);
  return transaction(pool, async (tx) => {
    const link = await useLink(tx, clock, ['sign_in'], token);
    if (!link) throw new Refusal('link_invalid');
    const known = await findPersonByEmail(tx, link.email);
    const user_name = link.workspace_id && (await findUserName(tx, link.workspace_id, link.email));
    const person = known ?? { id: newId(clock), name: user_name || nameOf(link.email) };
    if (!known) {
      await insertPerson(tx, { ...person, email: link.email, password_hash: null, created_at: clock.now() });
    }
    await join(tx, clock, link, person);
    const session = await openSession(tx, clock, { person_id: person.id, client, method: 'link' });
    return { state: 'signed_in', token: session.token };
  });
}

/** `aisha.said@acme.example` → `aisha.said`: a name until the person sets one. */
function nameOf(email: string): string {
  return email.split('@')[0]!;
}
