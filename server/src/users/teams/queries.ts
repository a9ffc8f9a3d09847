import type { Connection } from '../../database/pool.ts';
import { build, run, statement } from '../../database/query.ts';

export interface TeamState {
  id: string;
  name: string;
  /** The name in the workspace file, where a person gave the team another one. */
  file_name: string | null;
  /** When a person last changed it. */
  changed_at: Date | null;
  removed_at: Date | null;
  /** Oldest first. */
  member_ids: string[];
}

const select = (condition: string) => `
  select t.id, t.name, t.file_name, t.changed_at, t.removed_at, array(select m.user_id from team_members m
    where m.workspace_id = t.workspace_id and m.team_id = t.id order by m.user_id) as member_ids
  from teams t where t.workspace_id = $1 ${condition}`;
const selectAll = statement<TeamState>(select('order by t.id'));
const lockOne = statement<TeamState>(select('and t.id = $2 and t.removed_at is null for no key update of t'));

/** All teams, the removed ones too, oldest first. */
export function listTeamStates(connection: Connection, workspace_id: string): Promise<TeamState[]> {
  return selectAll(connection, [workspace_id]);
}

/** Locks a team that is not removed. */
export async function lockTeam(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<TeamState | undefined> {
  return (await lockOne(connection, [workspace_id, id]))[0];
}

export interface NewTeam {
  id: string;
  name: string;
  changed_at: Date | null;
  created_at: Date;
}

const insertTeams = statement<{ id: string }>(`
  insert into teams (workspace_id, id, name, changed_at, created_at)
  select $1, id, name, changed_at, created_at
  from json_to_recordset($2) as n (id uuid, name text, changed_at timestamptz, created_at timestamptz)
  on conflict (workspace_id, name) where removed_at is null do nothing
  returning id`);

/** Inserts the teams whose names are free. Answers their ids. */
export async function insertNewTeams(
  connection: Connection,
  workspace_id: string,
  teams: readonly NewTeam[],
): Promise<string[]> {
  if (teams.length === 0) return [];
  return (await insertTeams(connection, [workspace_id, JSON.stringify(teams)])).map(({ id }) => id);
}

const deleteMembers = statement(`
  delete from team_members m
  using json_to_recordset($2) as t (team_id uuid, user_ids uuid[])
  where m.workspace_id = $1 and m.team_id = t.team_id and m.user_id <> all(t.user_ids)`);

const insertMembers = statement(`
  insert into team_members (workspace_id, team_id, user_id)
  select $1, t.team_id, user_id
  from json_to_recordset($2) as t (team_id uuid, user_ids uuid[]), unnest(t.user_ids) as user_id
  on conflict do nothing`);

/** Replaces the members of these teams. */
export async function setMembers(
  connection: Connection,
  workspace_id: string,
  teams: readonly { team_id: string; user_ids: string[] }[],
): Promise<void> {
  if (teams.length === 0) return;
  await deleteMembers(connection, [workspace_id, JSON.stringify(teams)]);
  await insertMembers(connection, [workspace_id, JSON.stringify(teams)]);
}

/** A person's change of a locked team. */
export async function updateTeam(
  connection: Connection,
  workspace_id: string,
  id: string,
  change: { name?: string; file_name?: string; changed_at: Date; removed_at?: Date },
): Promise<void> {
  const query = build.updateTable('teams').set(change).where('workspace_id', '=', workspace_id).where('id', '=', id);
  await run(connection, query);
}

const selectNamed = statement(`
  select from teams where workspace_id = $1 and name = $2 and id <> $3 and removed_at is null`);

/** Whether another team has the name. */
export async function isTeamNameTaken(
  connection: Connection,
  workspace_id: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  return (await selectNamed(connection, [workspace_id, name, id])).length > 0;
}
