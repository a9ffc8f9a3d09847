import { isRole } from '@majlis/console-api';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Scheduler } from './schedule-message.ts';

// As for a person who writes at this moment: it waits for a change of the membership, and holds it off until the message is sent.
const holdMembership = statement<{ role: string | null; own_teams_only: boolean }>(`
  select role, own_teams_only from users
  where workspace_id = $1 and id = $2 and person_id is not null and removed_at is null for key share`);
const holdTeams = statement(`
  select from team_members where workspace_id = $1 and user_id = $2 order by team_id for key share`);

/** The author of a scheduled message with the rights that they have now. Undefined for one who is no member any more. */
export async function holdAuthor(
  tx: Transaction,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
): Promise<Scheduler | undefined> {
  const [member] = await holdMembership(tx, [workspace_id, user_id]);
  if (!member || !isRole(member.role)) return undefined;
  const { own_teams_only } = member;
  if (own_teams_only) await holdTeams(tx, [workspace_id, user_id]);
  return { workspace_id, user_id, is_person: true, own_teams_only };
}
