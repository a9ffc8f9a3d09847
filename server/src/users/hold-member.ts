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
