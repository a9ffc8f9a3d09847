import { newId, parseId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { digestOf } from '../../http/digest-of.ts';
import { invalid, Refusal, unknownReference } from '../../http/reply/refusal.ts';
import { requireId } from '../../http/require-id.ts';
import { requireText } from '../../http/require-text.ts';
import type { Clock } from '../../process/clock.ts';
import { holdPresentUsers } from '../hold-member.ts';
import { insertNewTeams, isTeamNameTaken, lockTeam, setMembers, type TeamState, updateTeam } from './queries.ts';

interface TeamValues {
  name?: string | undefined;
  /** Public ids. */
  member_ids?: string[] | undefined;
}

export const teamVersion = ({ id, name, member_ids }: TeamState): string => digestOf([id, name, member_ids]);

export async function createTeam(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  { name, member_ids = [] }: TeamValues & { name: string },
): Promise<TeamState> {
  const now = clock.now();
  const id = newId(clock);
  const user_ids = await readMembers(tx, workspace_id, member_ids);
  const created = await insertNewTeams(tx, workspace_id, [
    { id, name: requireText(name, '/name'), changed_at: now, created_at: now },
  ]);
  if (created.length === 0) throw taken();
  await setMembers(tx, workspace_id, [{ team_id: id, user_ids }]);
  return (await lockTeam(tx, workspace_id, id))!;
}

/** Changes what a person sent. Where somebody changed the team since `version`, nothing changes. */
export async function changeTeam(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  public_id: string,
  { version, name: text, member_ids }: TeamValues & { version: string },
): Promise<TeamState> {
  const before = await requireTeam(tx, workspace_id, public_id, version);
  const { id } = before;
  const name = text === undefined ? before.name : requireText(text, '/name');
  if (await isTeamNameTaken(tx, workspace_id, { id, name })) throw taken();
  const renamed = name === before.name ? {} : { name, file_name: before.file_name ?? before.name };
  await updateTeam(tx, workspace_id, id, { ...renamed, changed_at: clock.now() });
  if (member_ids) {
    const user_ids = await readMembers(tx, workspace_id, member_ids);
    await setMembers(tx, workspace_id, [{ team_id: id, user_ids }]);
  }
  return (await lockTeam(tx, workspace_id, id))!;
}

/** Removes a team. Its name stays in the threads; its conversations are for the caller. */
export async function removeTeam(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  public_id: string,
  version: string,
): Promise<TeamState> {
  const before = await requireTeam(tx, workspace_id, public_id, version);
  const now = clock.now();
  await setMembers(tx, workspace_id, [{ team_id: before.id, user_ids: [] }]);
  await updateTeam(tx, workspace_id, before.id, { changed_at: now, removed_at: now });
  return before;
}

async function requireTeam(
  tx: Transaction,
  workspace_id: string,
  public_id: string,
  version: string,
): Promise<TeamState> {
  const team = await lockTeam(tx, workspace_id, requireId('team', public_id));
  if (!team) throw new Refusal('not_found');
  if (teamVersion(team) !== version) throw new Refusal('changed_meanwhile');
  return team;
}

const taken = () => invalid({ detail: 'is the name of another team', pointer: '/name' });

async function readMembers(tx: Transaction, workspace_id: string, public_ids: readonly string[]): Promise<string[]> {
  const ids = public_ids.map((public_id) => parseId('user', public_id));
  const known = await holdPresentUsers(
    tx,
    workspace_id,
    ids.flatMap((id) => id ?? []),
  );
  const unknown = ids.findIndex((id) => id === undefined || !known.has(id));
  if (unknown >= 0) throw invalid(unknownReference('names no member of the workspace', `/member_ids/${unknown}`));
  return [...known];
}
