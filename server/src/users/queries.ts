import type { WorkingHours } from '@majlis/console-api';
import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';

export interface NewUser {
  id: string;
  name: string;
  email: string;
  role: string | null;
  status: string | null;
  own_teams_only: boolean | null;
  created_at: Date;
}

const columns = 'id, name, email, role, status, created_at';

const upsertUsers = statement(`
  insert into users as u (workspace_id, ${columns})
  select $1, ${columns} from json_populate_recordset(null::users, $2)
  on conflict (workspace_id, email) do update set name = excluded.name, role = coalesce(excluded.role, u.role),
    status = coalesce(excluded.status, u.status)
  where u.changed_at is null and (u.name, u.role, u.status) is distinct from
    (excluded.name, coalesce(excluded.role, u.role), coalesce(excluded.status, u.status))`);

const limitUsers = statement(`
  update users u set own_teams_only = f.own_teams_only
  from json_to_recordset($2) as f (email text, own_teams_only boolean)
  where u.workspace_id = $1 and u.email = f.email and u.changed_at is null and u.own_teams_only <> f.own_teams_only`);

/** Saves users by e-mail address. A null value stays unchanged, and so does a user whom a person has changed. */
export async function saveUsers(
  connection: Connection,
  workspace_id: string,
  users: readonly NewUser[],
): Promise<void> {
  if (users.length === 0) return;
  await upsertUsers(connection, [workspace_id, JSON.stringify(users)]);
  await limitUsers(connection, [workspace_id, JSON.stringify(users)]);
}

/** A value that a person set and a workspace file does not undo. */
export interface KeptValue {
  email: string;
  member: 'name' | 'role' | 'status' | 'own_teams_only' | 'membership';
  value: string | null;
  /** What the file says. */
  in_file: string;
}

const selectKept = statement<KeptValue>(`
  select u.email, kept.member, kept.value, kept.in_file
  from json_to_recordset($2) as f (email text, name text, role text, status text, own_teams_only text)
  join users u on u.workspace_id = $1 and u.email = f.email and u.changed_at is not null
  cross join lateral (values (1, 'name', u.name, f.name), (2, 'role', u.role, f.role), (3, 'status', u.status, f.status),
    (4, 'own_teams_only', u.own_teams_only::text, f.own_teams_only),
    (5, 'membership', case when u.removed_at is not null then 'removed' end, 'member')
  ) as kept (place, member, value, in_file)
  where case when kept.member = 'membership' then kept.value is not null
    else u.removed_at is null and kept.value is distinct from coalesce(kept.in_file, kept.value) end
  order by u.email, kept.place`);

/** What of a file's users stays as people changed it. */
export async function listKeptValues(
  connection: Connection,
  workspace_id: string,
  users: readonly Pick<NewUser, 'email' | 'name' | 'role' | 'status' | 'own_teams_only'>[],
): Promise<KeptValue[]> {
  return users.length === 0 ? [] : selectKept(connection, [workspace_id, JSON.stringify(users)]);
}

/** Ids by e-mail address; unknown addresses are absent. */
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

/** E-mail addresses by id. */
export async function listEmails(
  connection: Connection,
  workspace_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const query = build
    .selectFrom('users')
    .select(['id', 'email'])
    .where('workspace_id', '=', workspace_id)
    .where('id', 'in', ids);
  return new Map((await run(connection, query)).map(({ id, email }) => [id, email]));
}

export interface Joining {
  workspace_id: string;
  /** Of a new user. A known one keeps their id. */
  id: string;
  person_id: string;
  email: string;
  name: string;
  /** Null keeps the role of an existing user. */
  role: string | null;
  now: Date;
}

const findJoining = statement<{ id: string; person_id: string | null }>(`
  select id, person_id from users where workspace_id = $1 and (person_id = $2 or email = $3)
  order by person_id = $2 desc nulls last for update`);
const joinExisting = statement(`
  update users set person_id = $3, name = $4, role = coalesce($5, role), joined_at = $6, changed_at = $6, removed_at = null,
    available = true
  where workspace_id = $1 and id = $2`);
const insertJoined = statement(`
  insert into users (workspace_id, id, person_id, email, name, role, joined_at, changed_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $7, $7)`);

/**
 * Makes a person a user of a workspace: the one that they are already, or that of this e-mail address. False where another person
 * is the user of the address, as where an issuer gave it to a successor.
 */
export async function joinUser(connection: Connection, joining: Joining): Promise<boolean> {
  const { workspace_id, id, person_id, email, name, role, now } = joining;
  const [known] = await findJoining(connection, [workspace_id, person_id, email]);
  if (known?.person_id && known.person_id !== person_id) return false;
  if (known) await joinExisting(connection, [workspace_id, known.id, person_id, name, role, now]);
  else await insertJoined(connection, [workspace_id, id, person_id, email, name, role, now]);
  return true;
}

const selectJoined = statement<{ id: string }>(`
  select id from users where workspace_id = $1 and email = $2 and joined_at is not null`);

/** Whether a person with this e-mail address is or was a member of the workspace. */
export async function hasJoined(connection: Connection, workspace_id: string, email: string): Promise<boolean> {
  return (await selectJoined(connection, [workspace_id, email])).length > 0;
}

const selectName = statement<{ name: string }>(`
  select name from users where workspace_id = $1 and email = $2`);

export async function findUserName(
  connection: Connection,
  workspace_id: string,
  email: string,
): Promise<string | undefined> {
  return (await selectName(connection, [workspace_id, email]))[0]?.name;
}

export async function changeUser(
  connection: Connection,
  workspace_id: string,
  id: string,
  change: { role?: string; own_teams_only?: boolean; changed_at: Date },
): Promise<void> {
  const query = build.updateTable('users').set(change);
  await run(connection, query.where('workspace_id', '=', workspace_id).where('id', '=', id));
}

/** Ends a membership. The user stays as the author of their messages and notes. */
export async function removeUser(connection: Connection, workspace_id: string, id: string, now: Date): Promise<void> {
  const change = { person_id: null, removed_at: now, changed_at: now, available: false, working_hours: null };
  const query = build.updateTable('users').set(change);
  await run(connection, query.where('workspace_id', '=', workspace_id).where('id', '=', id));
  const membership = build
    .deleteFrom('team_members')
    .where('workspace_id', '=', workspace_id)
    .where('user_id', '=', id);
  await run(connection, membership);
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

const updateHours = statement(`update users set working_hours = $3 where workspace_id = $1 and id = $2`);

/** Seven lists of spans; null for any time. */
export async function setWorkingHours(
  connection: Connection,
  workspace_id: string,
  id: string,
  weekly: WorkingHours['weekly'] | null,
): Promise<void> {
  await updateHours(connection, [workspace_id, id, weekly && JSON.stringify(weekly)]);
}
