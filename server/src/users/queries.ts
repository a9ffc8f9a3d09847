import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';

export interface NewUser {
  id: string;
  name: string;
  email: string;
  role: string | null;
  status: string | null;
  created_at: Date;
}

const columns = 'id, name, email, role, status, created_at';

const upsertUsers = statement(`
  insert into users as u (workspace_id, ${columns})
  select $1, ${columns} from json_populate_recordset(null::users, $2)
  on conflict (workspace_id, email) do update set name = excluded.name, role = coalesce(excluded.role, u.role),
    status = coalesce(excluded.status, u.status)
  where (u.name, u.role, u.status) is distinct from
    (excluded.name, coalesce(excluded.role, u.role), coalesce(excluded.status, u.status))`);

/** By e-mail address. A role or status that is left out (null) stays as it is. */
export async function saveUsers(
  connection: Connection,
  workspace_id: string,
  users: readonly NewUser[],
): Promise<void> {
  if (users.length > 0) await upsertUsers(connection, [workspace_id, JSON.stringify(users)]);
}

/** Ids by e-mail address; those that nobody has are missing. */
export async function findUserIds(
  connection: Connection,
  workspace_id: string,
  emails: readonly string[],
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map();
  const query = build
    .selectFrom('users')
    .select(['id', 'email'])
    .where('workspace_id', '=', workspace_id)
    .where('email', 'in', emails);
  return new Map((await run(connection, query)).map(({ id, email }) => [email, id]));
}

export interface NewTeam {
  id: string;
  name: string;
  created_at: Date;
}

const insertTeams = statement(`
  insert into teams (workspace_id, id, name, created_at)
  select $1, id, name, created_at from json_to_recordset($2) as n (id uuid, name text, created_at timestamptz)
  on conflict (workspace_id, name) do nothing`);

/** By name. Answers the ids by name. */
export async function saveTeams(
  connection: Connection,
  workspace_id: string,
  teams: readonly NewTeam[],
): Promise<Map<string, string>> {
  if (teams.length === 0) return new Map();
  await insertTeams(connection, [workspace_id, JSON.stringify(teams)]);
  const names = teams.map((team) => team.name);
  const query = build
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspace_id)
    .where('name', 'in', names);
  return new Map((await run(connection, query)).map(({ id, name }) => [name, id]));
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

/** These users and no others are the members of these teams. */
export async function setMembers(
  connection: Connection,
  workspace_id: string,
  teams: readonly { team_id: string; user_ids: string[] }[],
): Promise<void> {
  if (teams.length === 0) return;
  await deleteMembers(connection, [workspace_id, JSON.stringify(teams)]);
  await insertMembers(connection, [workspace_id, JSON.stringify(teams)]);
}

export async function setAvailable(
  connection: Connection,
  workspace_id: string,
  id: string,
  available: boolean,
): Promise<void> {
  const query = build.updateTable('users').set({ available });
  await run(connection, query.where('workspace_id', '=', workspace_id).where('id', '=', id));
}
