import { isRole } from '@majlis/console-api';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { ScheduledRow } from './queries.ts';
import type { Scheduler } from './schedule-message.ts';

// As for a person who writes at this moment: it waits for a change of the membership, and holds it off until the message is sent.
const holdMembership = statement<{ role: string | null; own_teams_only: boolean }>(`
  select role, own_teams_only from users
  where workspace_id = $1 and id = $2 and person_id is not null and removed_at is null for key share`);
const holdTeams = statement(`
  select from team_members where workspace_id = $1 and user_id = $2 order by team_id for key share`);

/** The authors of scheduled messages with the rights that they have now, by id. Null for one who is no member any more. */
export async function holdAuthors(
  tx: Transaction,
  rows: readonly Pick<ScheduledRow, 'workspace_id' | 'user_id'>[],
): Promise<Map<string, Scheduler | null>> {
  const authors = new Map<string, Scheduler | null>();
  const inOrder = rows.toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1));
  for (const { workspace_id, user_id } of inOrder) {
    if (!authors.has(user_id)) authors.set(user_id, await holdAuthor(tx, workspace_id, user_id));
  }
  return authors;
}

async function holdAuthor(tx: Transaction, workspace_id: string, user_id: string): Promise<Scheduler | null> {
  const [member] = await holdMembership(tx, [workspace_id, user_id]);
  if (!member || !isRole(member.role)) return null;
  const { own_teams_only } = member;
  if (own_teams_only) await holdTeams(tx, [workspace_id, user_id]);
  return { workspace_id, user_id, is_person: true, own_teams_only };
}
