import { newId } from '../../database/ids.ts';
import { type Transaction, transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { findWorkspaceByName } from '../../workspaces/queries.ts';
import { join } from '../accept-invitation.ts';
import { recordOwnAct } from '../audit.ts';
import type { Client } from '../client.ts';
import { type Link, listInvitationsTo, useLink } from '../links.ts';
import {
  findPersonByEmail,
  findPersonBySubject,
  insertPerson,
  lockPerson,
  type Person,
  updatePerson,
} from '../people.ts';
import { proveAddress } from '../prove-address.ts';
import { openSession } from '../sessions.ts';
import type { SignInContext } from '../sign-in.ts';
import type { Admitted } from './admit.ts';

export interface OidcSignIn {
  account: Admitted;
  /** The token of an invitation that the person opened before. */
  invitation: string | undefined;
  client: Client;
}

/**
 * Signs in the person of an account. The first sign-in links the account to the person with its confirmed e-mail address, or
 * makes a person who was invited or is in a group with a role. The second factor is left to the issuer.
 */
export async function signInWithOidc(
  context: SignInContext,
  { account, invitation, client }: OidcSignIn,
): Promise<{ token: string }> {
  const { pool, clock } = context;
  return transaction(pool, async (tx) => {
    const known =
      (await findPersonBySubject(tx, account.issuer, account.subject)) ?? (await findPersonByEmail(tx, account.email));
    const locked = known && (await lockPerson(tx, known.id));
    const link = invitation === undefined ? undefined : await takeInvitation(tx, clock, account, invitation);
    if (locked) await linkPerson(tx, clock, account, { person: locked, address: client.address });
    const person = locked ?? (await makePerson(tx, context, account, link));
    if (link) await join(tx, context, link, person);
    return openSession(tx, clock, { person_id: person.id, client, method: 'oidc' });
  });
}

async function takeInvitation(
  tx: Transaction,
  clock: Clock,
  { email }: Admitted,
  token: string,
): Promise<Link | undefined> {
  const link = await useLink(tx, clock, ['invitation'], token);
  // The refusal undoes the use of the link.
  if (link?.email !== email) throw new Refusal('link_invalid');
  return link;
}

/**
 * Links the account at its first sign-in, where the issuer confirms the address of the person: that proves it. An address that
 * another account of the issuer has is not taken over.
 */
async function linkPerson(
  tx: Transaction,
  clock: Clock,
  { issuer, subject }: Admitted,
  { person, address }: { person: Person; address: string },
): Promise<void> {
  const isLinked = person.oidc_issuer === issuer && person.oidc_subject === subject;
  if (!isLinked && person.oidc_issuer === issuer) throw new Refusal('oidc_other_account');
  await proveAddress(tx, clock, person, { by: 'identity_provider', address });
  if (isLinked) return;
  const { id: person_id } = person;
  await updatePerson(tx, person_id, { oidc_issuer: issuer, oidc_subject: subject });
  await recordOwnAct(tx, clock, { person_id, action: 'linkOidcAccount', address, details: { issuer } });
}

/** Nobody comes in without a workspace: of an invitation, or of a group. */
async function makePerson(
  tx: Transaction,
  context: SignInContext,
  { issuer, subject, email, name, groupRoles }: Admitted,
  opened: Link | undefined,
): Promise<{ id: string; name: string }> {
  const { clock } = context;
  const person = { id: newId(clock), name };
  const invitations = opened ? [] : await listInvitationsTo(tx, clock, email);
  const granted = [];
  for (const { role, workspace } of groupRoles) {
    const found = await findWorkspaceByName(tx, workspace);
    if (found) granted.push({ workspace_id: found.id, email, role });
  }
  if (!opened && invitations.length === 0 && granted.length === 0) throw new Refusal('oidc_not_admitted');
  const now = clock.now();
  await insertPerson(tx, { ...person, email, password_hash: null, proven_at: now, created_at: now });
  await updatePerson(tx, person.id, { oidc_issuer: issuer, oidc_subject: subject });
  for (const link of [...granted, ...invitations]) await join(tx, context, link, person);
  return person;
}
