import { newId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { build, run } from '../database/query.ts';
import type { Clock } from '../process/clock.ts';
import { listMemberships } from './memberships.ts';

/** Something that a person did in a workspace. */
export interface Act {
  workspace_id: string;
  user_id: string;
  /** The id of the operation. */
  action: string;
  /** The public ids that the request named. */
  targets: Readonly<Record<string, string>>;
  address: string;
  /** What changed, without secrets and without what customers wrote. */
  details?: object;
}

/** Records acts in the transaction of their effect. */
export async function recordActs(connection: Connection, clock: Clock, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return;
  const at = clock.now();
  const rows = acts.map(({ targets, details, ...act }) => ({
    ...act,
    id: newId(clock),
    at,
    targets: JSON.stringify(targets),
    details: details ? JSON.stringify(details) : null,
  }));
  await run(connection, build.insertInto('audit_entries').values(rows));
}

/** Records what a person did to their own account in each of their workspaces, whose admins answer for its members. */
export async function recordOwnAct(
  connection: Connection,
  clock: Clock,
  { person_id, ...act }: { person_id: string; action: string; address: string; details?: object },
): Promise<void> {
  const memberships = await listMemberships(connection, person_id);
  const acts = memberships.map(({ workspace_id, user_id }) => ({ workspace_id, user_id, targets: {}, ...act }));
  await recordActs(connection, clock, acts);
}

export interface AuditFilter {
  user_id?: string | undefined;
  action?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** Newest first: the id has the time of the act. */
export function listActs(
  connection: Connection,
  workspace_id: string,
  filter: AuditFilter,
  { before, count }: { before: string | undefined; count: number },
) {
  let query = build
    .selectFrom('audit_entries as a')
    .innerJoin('users as u', (on) => on.onRef('u.workspace_id', '=', 'a.workspace_id').onRef('u.id', '=', 'a.user_id'))
    .where('a.workspace_id', '=', workspace_id)
    .select(['a.id', 'a.at', 'a.user_id', 'u.name', 'a.action', 'a.targets', 'a.address', 'a.details'])
    .orderBy('a.id', 'desc')
    .limit(count);
  if (before) query = query.where('a.id', '<', before);
  if (filter.user_id) query = query.where('a.user_id', '=', filter.user_id);
  if (filter.action) query = query.where('a.action', '=', filter.action);
  if (filter.since) query = query.where('a.at', '>=', filter.since);
  if (filter.until) query = query.where('a.at', '<', filter.until);
  return run(connection, query);
}
