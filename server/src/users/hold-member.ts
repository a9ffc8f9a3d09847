import { isRole, type Role } from '@majlis/console-api';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

export interface HeldMember {
  role: Role;
  own_teams_only: boolean;
}

const holdOne = statement<{ role: string | null; own_teams_only: boolean }>(`
  select role, own_teams_only from users
  where workspace_id = $1 and id = $2 and person_id is not null and removed_at is null for key share`);

const holdPresent = statement<{ id: string }>(`
  select id from users where workspace_id = $1 and id = any ($2::uuid[]) and removed_at is null
  order by id for key share`);

/**
 * Which of these users were not removed. A removal waits until the transaction ends, and then finds what the transaction gave
 * them; one that is under way is waited for.
 */
export async function holdPresentUsers(
  tx: Transaction,
  workspace_id: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  return new Set((await holdPresent(tx, [workspace_id, ids])).map(({ id }) => id));
}

const holdPresentUser = statement<{ id: string }>(`
  select id from users where workspace_id = $1 and email = $2 and removed_at is null for key share`);

/** The id of a user who was not removed, and is not until the transaction ends. */
export async function holdUserOf(tx: Transaction, workspace_id: string, email: string): Promise<string | undefined> {
  return (await holdPresentUser(tx, [workspace_id, email]))[0]?.id;
}

/**
 * The rights of whoever asked for a work, at the moment when a job performs it. As for a person who writes at this moment, it waits
 * for a change of the membership, and holds it off until the transaction ends. Undefined for one who is no member any more.
 */
export async function holdMember(
  tx: Transaction,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
): Promise<HeldMember | undefined> {
  const [member] = await holdOne(tx, [workspace_id, user_id]);
  return member && isRole(member.role) ? { role: member.role, own_teams_only: member.own_teams_only } : undefined;
}
