import { mayAct } from '@majlis/console-api';
import { newId } from '../database/ids.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import type { Clock } from '../process/clock.ts';
import { joinUser } from '../users/queries.ts';
import { checkPassword } from './check-password.ts';
import { deleteInvitationsTo, findLink, type Link, useLink } from './links.ts';
import { findMembership } from './memberships.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { findPerson, findPersonByEmail, insertPerson, type Person } from './people.ts';
import { type Client, openSession, type PersonSession } from './sessions.ts';
import type { SignedIn, SignInContext } from './sign-in.ts';
import { throttleAttempt } from './throttle.ts';

export interface Acceptance {
  token: string;
  /** Of a new person. */
  name?: string | undefined;
  /** The new password, or that of the existing account. */
  password?: string | undefined;
  client: Client;
}

/**
 * Joins the workspace of an invitation as its e-mail address. An existing account proves itself with its password, so the
 * link alone gives nobody else's account away. The link is used up in the transaction of the joining.
 */
export async function acceptInvitation(
  { pool, clock, limiter }: SignInContext,
  { token, name, password = '', client }: Acceptance,
): Promise<SignedIn> {
  await throttleAttempt(limiter, client.address);
  const link = await findLink(pool, clock, token);
  if (link?.kind !== 'invitation') throw new Refusal('link_invalid');
  const known = await findPersonByEmail(pool, link.email);
  if (known) {
    // A holder of the link guesses at the password as anybody does who signs in.
    await throttleAttempt(limiter, client.address, known.email);
    await proveAccount(known, password);
  } else await checkPassword(password, link.email);
  if (!known && !name?.trim()) throw invalid({ detail: 'is required', pointer: '/name' });
  const password_hash = known ? null : await hashPassword(password);
  return transaction(pool, async (tx) => {
    const used = await useLink(tx, clock, ['invitation'], token);
    if (!used) throw new Refusal('link_invalid');
    const person_id = known?.id ?? newId(clock);
    if (!known) {
      await insertPerson(tx, {
        id: person_id,
        email: used.email,
        name: name!.trim(),
        password_hash,
        created_at: clock.now(),
      });
    }
    await join(tx, clock, used, { id: person_id, name: known?.name ?? name!.trim() });
    const awaits_code = known?.totp_enabled_at != null;
    const session = await openSession(tx, clock, { person_id, client, method: 'password', awaits_code });
    return { state: awaits_code ? 'second_factor' : 'signed_in', token: session.token };
  });
}

/**
 * Joins as the person who is signed in, who may have no password. The session stays: a new one would count as a new proof of
 * identity. False where the invitation is to another address.
 */
export async function acceptAsSignedIn(
  { pool, clock, limiter }: SignInContext,
  { token, session, client }: { token: string; session: PersonSession | undefined; client: Client },
): Promise<boolean> {
  if (!session || session.awaits_code) return false;
  await throttleAttempt(limiter, client.address);
  const person = await findPerson(pool, session.person_id);
  const link = await findLink(pool, clock, token);
  if (!person || link?.email !== person.email) return false;
  return transaction(pool, async (tx) => {
    const used = await useLink(tx, clock, ['invitation'], token);
    if (!used) throw new Refusal('link_invalid');
    await join(tx, clock, used, person);
    return true;
  });
}

async function proveAccount(person: Person, password: string): Promise<void> {
  if (await verifyPassword(password, person.password_hash)) return;
  throw new Refusal('sign_in_failed', { detail: 'The password of this account is wrong.' });
}

/**
 * Makes the person a member of the link's workspace, and withdraws other invitations there. A link never lowers the role of a
 * member, so the last owner stays one.
 */
export async function join(
  tx: Transaction,
  clock: Clock,
  { workspace_id, email, role }: Link,
  person: { id: string; name: string },
): Promise<void> {
  if (!workspace_id) return;
  const known = await findMembership(tx, person.id, workspace_id);
  const isLower = known && role && mayAct(known.role, role);
  const joining = { workspace_id, id: newId(clock), person_id: person.id, email, name: person.name };
  await joinUser(tx, { ...joining, role: isLower ? null : role, now: clock.now() });
  await deleteInvitationsTo(tx, workspace_id, email);
}
