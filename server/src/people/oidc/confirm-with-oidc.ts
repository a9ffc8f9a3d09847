import { Refusal } from '../../http/reply/refusal.ts';
import { findPerson } from '../people.ts';
import { confirmSession, type PersonSession } from '../sessions.ts';
import type { SignInContext } from '../sign-in.ts';
import type { Claims } from './identity-provider.ts';

/** `session` is that of the visit. The account must be that of the person who is signed in. Whether it had to enter a password again, the issuer decides. */
export async function confirmWithOidc(
  { pool, clock }: SignInContext,
  { session, claims, issuer }: { session: PersonSession; claims: Claims; issuer: string },
): Promise<void> {
  const person = await findPerson(pool, session.person_id);
  if (person.oidc_issuer !== issuer || person.oidc_subject !== claims.sub) throw new Refusal('oidc_other_account');
  await confirmSession(pool, clock, session.id);
}
