import { isRole, type Role } from '@majlis/console-api';
import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import { digestOf } from '../http/digest-of.ts';

/** A person as a user of one workspace. */
export interface Membership {
  workspace_id: string;
  workspace_name: string;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  user_id: string;
  role: Role;
  own_teams_only: boolean;
}

type MembershipRow = Omit<Membership, 'role'> & { role: string | null };

const columns = 'u.workspace_id, w.name as workspace_name, w.country, u.id as user_id, u.role, u.own_teams_only';
const selectMemberships = statement<MembershipRow>(`
  select ${columns} from users u join workspaces w on w.id = u.workspace_id where u.person_id = $1 order by w.name`);
const selectMembership = statement<MembershipRow>(`
  select ${columns} from users u join workspaces w on w.id = u.workspace_id
  where u.person_id = $1 and u.workspace_id = $2`);

/** The workspaces in which the person has a role of the console. */
export async function listMemberships(connection: Connection, person_id: string): Promise<Membership[]> {
  return withRole(await selectMemberships(connection, [person_id]));
}

/** Undefined where the person is no member, or has no role of the console. */
export async function findMembership(
  connection: Connection,
  person_id: string,
  workspace_id: string,
): Promise<Membership | undefined> {
  return withRole(await selectMembership(connection, [person_id, workspace_id]))[0];
}

function withRole(rows: readonly MembershipRow[]): Membership[] {
  return rows.flatMap(({ role, ...row }) => (isRole(role) ? [{ ...row, role }] : []));
}

export interface MemberRow {
  id: string;
  name: string;
  email: string;
  role: string | null;
  own_teams_only: boolean;
  joined_at: Date | null;
  person_id: string | null;
}

export const memberVersion = ({ id, role, own_teams_only }: MemberRow): string => digestOf([id, role, own_teams_only]);

export function listMembers(connection: Connection, workspace_id: string): Promise<MemberRow[]> {
  return run(connection, selectMembers(workspace_id).orderBy('id'));
}

/** Locks the user's row. */
export async function lockMember(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<MemberRow | undefined> {
  return (await run(connection, selectMembers(workspace_id).where('id', '=', id).forUpdate()))[0];
}

function selectMembers(workspace_id: string) {
  return build
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role', 'own_teams_only', 'joined_at', 'person_id'])
    .where('workspace_id', '=', workspace_id)
    .where('removed_at', 'is', null);
}

const lockOwners = statement<{ id: string }>(`
  select id from users where workspace_id = $1 and role = 'owner' and person_id is not null for update`);

/** The users of people who own the workspace. The lock lets two owners not demote each other at once. */
export async function lockOwnersOf(connection: Connection, workspace_id: string): Promise<string[]> {
  return (await lockOwners(connection, [workspace_id])).map(({ id }) => id);
}
