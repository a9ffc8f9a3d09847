import { sql } from 'kysely';
import type { Connection } from '../database/pool.ts';
import { build, run, runFirst } from '../database/query.ts';
import type { TeamRow, UserRow } from './present.ts';

/** All users but former members, oldest first. */
export function listUsers(connection: Connection, workspace_id: string): Promise<UserRow[]> {
  return run(connection, selectUsers(workspace_id).orderBy('u.id'));
}

export function findUser(connection: Connection, workspace_id: string, id: string): Promise<UserRow | undefined> {
  return runFirst(connection, selectUsers(workspace_id).where('u.id', '=', id));
}

function selectUsers(workspace_id: string) {
  return build
    .selectFrom('users as u')
    .where('u.workspace_id', '=', workspace_id)
    .where('u.removed_at', 'is', null)
    .select(['u.id', 'u.name', 'u.email', 'u.role', 'u.status', 'u.available', 'u.last_active_at'])
    .select(
      sql<string[]>`array(select m.team_id from team_members m
        where m.workspace_id = u.workspace_id and m.user_id = u.id order by m.team_id)`.as('teams'),
    );
}

/** All teams with their members, oldest first. */
export function listTeams(connection: Connection, workspace_id: string): Promise<TeamRow[]> {
  const query = build
    .selectFrom('teams as t')
    .where('t.workspace_id', '=', workspace_id)
    .where('t.removed_at', 'is', null)
    .select(['t.id', 't.name'])
    .select(
      sql<string[]>`array(select m.user_id from team_members m
        where m.workspace_id = t.workspace_id and m.team_id = t.id order by m.user_id)`.as('member_ids'),
    )
    .orderBy('t.id');
  return run(connection, query);
}
