import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { holdPresentUsers } from '../../users/hold-member.ts';
import { findUserIds, listEmails } from '../../users/queries.ts';
import { insertNewTeams, listTeamStates, setMembers, type TeamState } from '../../users/teams/queries.ts';
import { findSeeded } from './find-seeded.ts';
import type { Kept } from './kept.ts';
import type { FileTeam } from './workspace-file.ts';

/**
 * Saves teams by name; given members replace the team's members, but for former ones. What a person changed or removed stays.
 * Answers the ids by name.
 */
export async function applyTeams(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  files: readonly FileTeam[],
  kept: Kept[],
): Promise<Map<string, string>> {
  if (files.length === 0) return new Map();
  const created_at = clock.now();
  const before = await listTeamStates(tx, workspace_id);
  const missing = files.filter(({ name }) => !findSeeded(before, name));
  const rows = missing.map(({ name }) => ({ id: newId(clock), name, changed_at: null, created_at }));
  await insertNewTeams(tx, workspace_id, rows);
  const stored = await listTeamStates(tx, workspace_id);
  const users = await findUserIds(
    tx,
    workspace_id,
    files.flatMap(({ members = [] }) => members),
  );
  const present = await holdPresentUsers(tx, workspace_id, [...users.values()]);
  const emails = await listEmails(
    tx,
    workspace_id,
    stored.flatMap(({ member_ids }) => member_ids),
  );
  const teams = files.flatMap(({ name, members }, index) => {
    const team = findSeeded(stored, name)!;
    const user_ids = members?.map((email, member) => users.get(email) ?? refuseMember(index, member));
    if (team.changed_at) {
      keepPersonsTeam(team, { name, members }, emails, kept);
      return [];
    }
    if (!members || !user_ids) return [];
    for (const email of members.filter((_, member) => !present.has(user_ids[member]!))) {
      kept.push({ team: name, member: 'members', value: null, in_file: email });
    }
    return [{ team_id: team.id, user_ids: user_ids.filter((id) => present.has(id)) }];
  });
  await setMembers(tx, workspace_id, teams);
  return new Map(files.map(({ name }) => [name, findSeeded(stored, name)!.id]));
}

function keepPersonsTeam(
  team: TeamState,
  { name, members }: { name: string; members: FileTeam['members'] | undefined },
  emails: ReadonlyMap<string, string>,
  kept: Kept[],
): void {
  if (team.removed_at) {
    kept.push({ team: name, member: 'team', value: 'removed', in_file: name });
    return;
  }
  if (team.name !== name) kept.push({ team: name, member: 'name', value: team.name, in_file: name });
  if (!members) return;
  const standing = listed(team.member_ids.map((id) => emails.get(id)!));
  if (standing !== listed(members)) {
    kept.push({ team: name, member: 'members', value: standing || null, in_file: listed(members) });
  }
}

const listed = (emails: readonly string[]): string => [...emails].sort().join(' ');

function refuseMember(team: number, member: number): never {
  throw invalid({ detail: 'names no user', pointer: `/teams/${team}/members/${member}` });
}
