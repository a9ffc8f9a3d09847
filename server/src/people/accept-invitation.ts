import { mayAct } from '@majlis/console-api';
import { newId } from '../database/ids.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import type { Clock } from '../process/clock.ts';
import { joinUser } from '../users/queries.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import { checkPassword } from './check-password.ts';
import type { Client } from './client.ts';
import { deleteInvitationsTo, findLink, type Link, useLink } from './links.ts';
import { findMembership } from './memberships.ts';
import { hashPassword } from './password.ts';
import { findPersonByEmail, insertPerson, lockPerson, type Person } from './people.ts';
import { proveAddress, requireProven } from './prove-address.ts';
import { provePassword } from './prove-password.ts';
import { lockOwner, openSession, type PersonSession } from './sessions.ts';
import type { SignedIn, SignInContext } from './sign-in.ts';

export interface Acceptance {
  token: string;
  /** Of a new person. */
  name?: string | undefined;
  /** The new password, or that of the existing account. */
  password?: string | undefined;
  client: Client;
}

/**
 * Joins the workspace of an invitation as its e-mail address. An account of its owner proves itself with its password. Any
 * other one, and a new one, gets the password that is given here.
 */
export async function acceptInvitation(context: SignInContext, acceptance: Acceptance): Promise<SignedIn> {
  const { pool, clock } = context;
  const { token, name = '' } = acceptance;
  const link = await findLink(pool, clock, token);
  if (link?.kind !== 'invitation') throw new Refusal('link_invalid');
  const known = await findPersonByEmail(pool, link.email);
  if (known ? isOwners(known, link) : link.by_hand && name.trim() === '') {
    return joinWithAccount(context, acceptance, link, known);
  }
  return joinWithNewPassword(context, acceptance, link, known);
}

/** A link by hand proves nothing, so it replaces no password. */
function isOwners(known: Person, link: Link): boolean {
  return known.proven_at !== null || link.by_hand;
}

/** An address without an account is refused as a wrong password is, so that an admin cannot look for accounts. */
async function joinWithAccount(
  context: SignInContext,
  { token, password = '', client }: Acceptance,
  { email }: Link,
  known: Person | undefined,
): Promise<SignedIn> {
  const { pool, clock } = context;
  const wrong = new Refusal('sign_in_failed', { detail: 'The password of this account is wrong.' });
  // A holder of the link guesses at the password as anybody does who signs in.
  const proven = await provePassword(context, { account: email, person: known, password, client });
  if (!proven) throw wrong;
  return transaction(pool, async (tx) => {
    const person = await lockPerson(tx, proven.id);
    if (person.password_hash !== proven.password_hash) throw wrong;
    const used = await useInvitation(tx, clock, token);
    await requireProven(tx, used, person);
    await join(tx, context, used, person);
    const awaits_code = person.totp_enabled_at !== null;
    const session = await openSession(tx, clock, { person_id: person.id, client, method: 'password', awaits_code });
    return { state: awaits_code ? 'second_factor' : 'signed_in', token: session.token, account: person.email };
  });
}

async function joinWithNewPassword(
  context: SignInContext,
  { token, name = '', password = '', client }: Acceptance,
  { email, by_hand }: Link,
  known: Person | undefined,
): Promise<SignedIn> {
  const { pool, clock } = context;
  await checkPassword(password, email);
  if (!known && name.trim() === '') throw invalid({ detail: 'is required', pointer: '/name' });
  const password_hash = await hashPassword(password, client);
  return transaction(pool, async (tx) => {
    const person = known && (await lockPerson(tx, known.id));
    const used = await useInvitation(tx, clock, token);
    if (person?.proven_at) throw new Refusal('sign_in_failed', { detail: 'Use the password of this account.' });
    const joining = person ?? { id: newId(clock), name: name.trim() };
    if (person) await proveAddress(tx, clock, person, { by: 'link', address: client.address, password_hash });
    else {
      const now = clock.now();
      await insertPerson(tx, { ...joining, email, password_hash, proven_at: by_hand ? null : now, created_at: now });
    }
    await join(tx, context, used, joining);
    const session = await openSession(tx, clock, { person_id: joining.id, client, method: 'password' });
    return { state: 'signed_in', token: session.token, account: email };
  });
}

/**
 * Joins as the person who is signed in, who may have no password. The session stays: a new one would count as a new proof of
 * identity. False where the invitation is to another address, and where its use ends this session as the first proof of it.
 */
export async function acceptAsSignedIn(
  context: SignInContext,
  { token, session }: { token: string; session: PersonSession | undefined },
): Promise<boolean> {
  const { pool, clock } = context;
  if (!session || session.awaits_code) return false;
  const link = await findLink(pool, clock, token);
  return transaction(pool, async (tx) => {
    const person = await lockOwner(tx, session);
    if (!link || !mayJoin(person, link)) return false;
    const used = await useInvitation(tx, clock, token);
    await requireProven(tx, used, person);
    await join(tx, context, used, person);
    return true;
  });
}

/** Whether a session of this person is enough to use the link. */
export function mayJoin(person: Person, link: Link): boolean {
  return link.email === person.email && isOwners(person, link);
}

async function useInvitation(tx: Transaction, clock: Clock, token: string): Promise<Link> {
  const used = await useLink(tx, clock, ['invitation'], token);
  if (!used) throw new Refusal('link_invalid');
  return used;
}

/**
 * Makes the person a member of the link's workspace, and withdraws other invitations there. A link never lowers the role of a
 * member, so the last owner stays one, and never gives away the member that another person is.
 */
export async function join(
  tx: Transaction,
  { clock, config }: Pick<SignInContext, 'clock' | 'config'>,
  { email, role, ...link }: Pick<Link, 'workspace_id' | 'email' | 'role'>,
  person: { id: string; name: string },
): Promise<void> {
  // Only a link that resets a password is of no workspace.
  const workspace_id = link.workspace_id!;
  const known = await findMembership(tx, person.id, workspace_id);
  const isLower = known && role && mayAct(known.role, role);
  const joining = { workspace_id, id: newId(clock), person_id: person.id, email, name: person.name };
  const hasJoined = await withinQuota(tx, config.quotas, { workspace_id, kind: 'members' }, () =>
    joinUser(tx, { ...joining, role: isLower ? null : role, now: clock.now() }),
  );
  if (!hasJoined) throw new Refusal('already_member');
  await deleteInvitationsTo(tx, workspace_id, email);
}
