import { consoleOperations, type Invitation, mayAct, type Role, roles } from '@majlis/console-api';
import { publicId } from '../database/ids.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import type { Clock } from '../process/clock.ts';
import { changeUser, removeUser } from '../users/queries.ts';
import { type Actor, holdRights } from './hold-rights.ts';
import { deleteInvitationsBy, deleteInvitationsTo, makeLink } from './links.ts';
import { listMembers, lockMember, lockOwnersOf, type MemberRow, memberVersion } from './memberships.ts';
import { isEmail, normalizeEmail } from './people.ts';

/** Who changes the members of a workspace. */
export type Manager = Actor;

/**
 * Invites an e-mail address. An admin cannot give away more than their own role. `by_hand`: the admin gets the link, since the
 * service sends no e-mail.
 */
export async function inviteMember(
  tx: Transaction,
  clock: Clock,
  manager: Manager,
  { email, role, by_hand }: { email: string; role: Role; by_hand: boolean },
): Promise<{ invitation: Invitation; token: string }> {
  const address = normalizeEmail(email);
  if (!isEmail(address)) throw invalid({ detail: 'is no e-mail address', pointer: '/email' });
  refuseBeyond(manager, role);
  const members = await listMembers(tx, manager.workspace_id);
  if (members.some((member) => member.person_id && normalizeEmail(member.email) === address)) {
    throw new Refusal('already_member');
  }
  const { workspace_id, user_id } = manager;
  // One invitation of an address is open: an older one would still give its own role.
  await deleteInvitationsTo(tx, workspace_id, address);
  const link = { kind: 'invitation' as const, email: address, workspace_id, role, invited_by: user_id, by_hand };
  const { id, token, created_at, expires_at } = await makeLink(tx, clock, link);
  const invitation = {
    id: publicId('invitation', id),
    email: address,
    role,
    invited_by: publicId('user', user_id),
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  };
  return { invitation, token };
}

interface MemberChange {
  version?: string | undefined;
  role?: Role | undefined;
  own_teams_only?: boolean | undefined;
}

/** Changes the role of a member, or what they see. Where somebody did since `version`, nothing changes. */
export async function changeMember(
  tx: Transaction,
  clock: Clock,
  manager: Manager,
  id: string | undefined,
  { version, role, own_teams_only }: MemberChange,
): Promise<MemberRow> {
  const member = await requireMember(tx, manager, id);
  if (version !== undefined && version !== memberVersion(member)) throw new Refusal('changed_meanwhile');
  if (role) refuseBeyond(manager, role);
  if (role && role !== 'owner') await refuseLastOwner(tx, member, manager.workspace_id);
  await changeUser(tx, manager.workspace_id, member.id, {
    ...(role && { role }),
    ...(own_teams_only !== undefined && { own_teams_only }),
    changed_at: clock.now(),
  });
  if (role) await withdrawInvitationsBy(tx, manager.workspace_id, member.id, role);
  return (await lockMember(tx, manager.workspace_id, member.id))!;
}

/** Ends a membership. The next request of the person is refused, and their streams and their invitations end. */
export async function removeMember(
  tx: Transaction,
  clock: Clock,
  manager: Manager,
  id: string | undefined,
): Promise<void> {
  const member = await requireMember(tx, manager, id);
  await refuseLastOwner(tx, member, manager.workspace_id);
  await removeUser(tx, manager.workspace_id, member.id, clock.now());
  await withdrawInvitationsBy(tx, manager.workspace_id, member.id);
}

/** Nobody joins on the word of a member who could not invite them now. */
async function withdrawInvitationsBy(
  tx: Transaction,
  workspace_id: string,
  user_id: string,
  role?: Role,
): Promise<void> {
  const mayInvite = role !== undefined && mayAct(role, consoleOperations.inviteMember.audience);
  const given = mayInvite ? roles.filter((one) => mayAct(role, one)) : [];
  await deleteInvitationsBy(tx, { workspace_id, user_id }, given);
}

async function requireMember(tx: Transaction, manager: Manager, id: string | undefined): Promise<MemberRow> {
  // The owners are locked first, in every change alike, so that two changes cannot wait for each other.
  await lockOwnersOf(tx, manager.workspace_id);
  await holdRights(tx, manager);
  const member = id && (await lockMember(tx, manager.workspace_id, id));
  if (!member) throw new Refusal('not_found');
  if (member.role === 'owner') refuseBeyond(manager, 'owner');
  return member;
}

function refuseBeyond(manager: Manager, role: Role): void {
  if (mayAct(manager.role, role)) return;
  throw new Refusal('role_insufficient', { detail: `Only an ${role} may do this.` });
}

async function refuseLastOwner(tx: Transaction, member: MemberRow, workspace_id: string): Promise<void> {
  const owners = await lockOwnersOf(tx, workspace_id);
  if (owners.length === 1 && owners[0] === member.id) throw new Refusal('last_owner');
}
