import { newId } from '../database/ids.ts';
import { transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { findUserName } from '../users/queries.ts';
import { join } from './accept-invitation.ts';
import type { Client } from './client.ts';
import { findLink, useLink } from './links.ts';
import { findPersonByEmail, insertPerson, lockPerson } from './people.ts';
import { proveAddress } from './prove-address.ts';
import { openSession } from './sessions.ts';
import type { SignedIn, SignInContext } from './sign-in.ts';
import { throttleAttempt } from './throttle.ts';

/** Signs in with a link that the operator's command line printed. A first use makes the account, without a password. */
export async function signInWithLink(
  context: SignInContext,
  { token, client }: { token: string; client: Client },
): Promise<SignedIn> {
  const { pool, clock, limiter } = context;
  await throttleAttempt(limiter, client.address);
  const link = await findLink(pool, clock, token);
  if (link?.kind !== 'sign_in') throw new Refusal('link_invalid');
  return transaction(pool, async (tx) => {
    const known = await findPersonByEmail(tx, link.email);
    const locked = known && (await lockPerson(tx, known.id));
    const used = await useLink(tx, clock, ['sign_in'], token);
    if (!used) throw new Refusal('link_invalid');
    const { email, workspace_id } = used;
    const user_name = await findUserName(tx, workspace_id!, email);
    const person = locked ?? { id: newId(clock), name: user_name || nameOf(email) };
    if (locked) await proveAddress(tx, clock, locked, { by: 'link', address: client.address });
    else {
      const now = clock.now();
      await insertPerson(tx, { ...person, email, password_hash: null, proven_at: now, created_at: now });
    }
    await join(tx, context, used, person);
    const session = await openSession(tx, clock, { person_id: person.id, client, method: 'link' });
    return { state: 'signed_in', token: session.token, account: email };
  });
}

/** `aisha.said@acme.example` → `aisha.said`: a name until the person sets one. */
function nameOf(email: string): string {
  return email.split('@')[0]!;
}
