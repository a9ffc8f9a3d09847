import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { findUserIds, saveTeams, setMembers } from '../../users/queries.ts';
import type { FileTeam } from './workspace-file.ts';

/** Saves teams by name; given members replace the team's members. Answers the ids by name. */
export async function applyTeams(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  files: readonly FileTeam[],
): Promise<Map<string, string>> {
  const created_at = clock.now();
  const rows = files.map(({ name }) => ({ id: newId(clock), name, created_at }));
  const ids = await saveTeams(tx, workspace_id, rows);
  const users = await findUserIds(
    tx,
    workspace_id,
    files.flatMap(({ members = [] }) => members),
  );
  const teams = files.flatMap(({ name, members }, index) => {
    if (!members) return [];
    const user_ids = members.map((email, member) => users.get(email) ?? refuseMember(index, member));
    return [{ team_id: ids.get(name)!, user_ids }];
  });
  await setMembers(tx, workspace_id, teams);
  return ids;
}

function refuseMember(team: number, member: number): never {
  throw invalid({ detail: 'names no user', pointer: `/teams/${team}/members/${member}` });
}
