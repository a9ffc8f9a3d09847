import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { holdMember } from '../../users/hold-member.ts';
import type { ScheduledRow } from './queries.ts';
import type { Scheduler } from './schedule-message.ts';

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
  const member = await holdMember(tx, { workspace_id, user_id });
  if (!member) return null;
  const { own_teams_only } = member;
  if (own_teams_only) await holdTeams(tx, [workspace_id, user_id]);
  return { workspace_id, user_id, is_person: true, own_teams_only };
}
