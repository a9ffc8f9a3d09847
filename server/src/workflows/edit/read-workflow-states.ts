import type { WorkflowStatus } from '@majlis/contract';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';

export interface WorkflowStateRow {
  id: string;
  name: string;
  status: WorkflowStatus;
  trigger: string;
  version: number;
  updated_at: Date;
  definition: Record<string, unknown> | null;
  saved_at: Date | null;
  saved_by_id: string | null;
  saved_by_name: string | null;
  running_count: number;
}

// The number of running runs is exact up to this many.
const mostCounted = 1_000;
const columns = `w.id, w.name, w.status, w.trigger, w.version, w.updated_at, v.created_at as saved_at,
    v.saved_by as saved_by_id, u.name as saved_by_name,
    (select count(*)::int from (select from workflow_runs r
      where r.workspace_id = w.workspace_id and r.workflow_id = w.id and r.status = 'running' limit ${mostCounted}) as running)
      as running_count`;
const joined = `workflows w
  left join workflow_versions v on v.workspace_id = w.workspace_id and v.workflow_id = w.id and v.version = w.version
  left join users u on u.workspace_id = v.workspace_id and u.id = v.saved_by`;

const selectStates = statement<WorkflowStateRow>(`
  select ${columns}, null::json as definition from ${joined} where w.workspace_id = $1 order by w.name`);
const selectState = statement<WorkflowStateRow>(`
  select ${columns}, v.definition from ${joined} where w.workspace_id = $1 and w.id = $2`);

/** All workflows with their runs under way, without their definitions. */
export function listWorkflowStates(connection: Connection, workspace_id: string): Promise<WorkflowStateRow[]> {
  return selectStates(connection, [workspace_id]);
}

export async function findWorkflowState(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<WorkflowStateRow | undefined> {
  return (await selectState(connection, [workspace_id, id]))[0];
}

export interface VersionRow {
  version: number;
  definition: Record<string, unknown> | null;
  saved_at: Date;
  saved_by_id: string | null;
  saved_by_name: string | null;
  restored_from: number | null;
  running_count: number;
}

const versionColumns = `v.version, v.created_at as saved_at, v.saved_by as saved_by_id, u.name as saved_by_name,
    v.restored_from,
    (select count(*)::int from (select from workflow_runs r
      where r.workspace_id = v.workspace_id and r.workflow_id = v.workflow_id and r.status = 'running'
        and r.version = v.version limit ${mostCounted}) as running) as running_count`;
const versionsJoined = `workflow_versions v
  left join users u on u.workspace_id = v.workspace_id and u.id = v.saved_by`;

const selectVersions = statement<VersionRow>(`
  select ${versionColumns}, null::json as definition from ${versionsJoined}
  where v.workspace_id = $1 and v.workflow_id = $2 and ($3::int is null or v.version < $3)
  order by v.version desc limit $4`);
const selectVersion = statement<VersionRow>(`
  select ${versionColumns}, v.definition from ${versionsJoined}
  where v.workspace_id = $1 and v.workflow_id = $2 and v.version = $3`);

/** The latest first, without their definitions. */
export function listWorkflowVersions(
  connection: Connection,
  workspace_id: string,
  workflow_id: string,
  { before, count }: { before: number | undefined; count: number },
): Promise<VersionRow[]> {
  return selectVersions(connection, [workspace_id, workflow_id, before ?? null, count]);
}

export async function findWorkflowVersion(
  connection: Connection,
  workspace_id: string,
  workflow_id: string,
  version: number,
): Promise<VersionRow | undefined> {
  return (await selectVersion(connection, [workspace_id, workflow_id, version]))[0];
}
