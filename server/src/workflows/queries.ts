import type { WorkflowStatus } from '@majlis/contract';
import { continueRun } from '../automation/jobs.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { lockNamedIn } from '../media/named-media.ts';

export interface WorkflowRow {
  id: string;
  name: string;
  status: WorkflowStatus;
  trigger: string;
  updated_at: Date;
}

const columns = 'id, name, status, trigger, updated_at';

const selectAll = statement<WorkflowRow>(`
  select ${columns} from workflows where workspace_id = $1 order by name`);

/** All workflows of the workspace, by name. */
export function listWorkflows(connection: Connection, workspace_id: string): Promise<WorkflowRow[]> {
  return selectAll(connection, [workspace_id]);
}

const updateStatus = statement<WorkflowRow>(`
  update workflows set status = $3, updated_at = case when status = $3 then updated_at else $4 end,
    status_set_at = case when $5 then $4 else status_set_at end
  where workspace_id = $1 and id = $2
  returning ${columns}`);

// `published` enqueues the parked runs; `draft` enqueues all runs, which then end.
const resumeRuns = statement<{ kind: string }>(`
  with affected as (
    update workflow_runs set is_parked = false
    where workspace_id = $1 and workflow_id = $2 and status = 'running' and (is_parked or $3 = 'draft')
      and $3 <> 'paused'
    returning workspace_id, id, workflow_id, turn
  )
  insert into jobs (kind, group_id, payload, run_at)
  select $4, workspace_id, json_build_object('workspace_id', workspace_id, 'run_id', id, 'workflow_id', workflow_id,
    'turn', turn)::text, $5
  from affected
  returning kind`);

/** Any status may follow any other; the current status changes nothing. Undefined for an unknown workflow. */
export async function setWorkflowStatus(
  tx: Transaction,
  workspace_id: string,
  id: string,
  { status, now, by_person }: { status: WorkflowStatus; now: Date; by_person: boolean },
): Promise<WorkflowRow | undefined> {
  const [row] = await updateStatus(tx, [workspace_id, id, status, now, by_person]);
  if (row) await enqueueAffectedRuns(tx, workspace_id, id, status, now);
  return row;
}

/** Enqueues the runs that a change of status affects, in its transaction, which holds the row of the workflow. */
async function enqueueAffectedRuns(
  tx: Transaction,
  workspace_id: string,
  id: string,
  status: WorkflowStatus,
  now: Date,
): Promise<void> {
  const jobs = await resumeRuns(tx, [workspace_id, id, status, continueRun, now]);
  for (const { kind } of jobs) tx.announce(kind);
}

export interface LockedWorkflow {
  id: string;
  name: string;
  status: WorkflowStatus;
  version: number;
  /** When a person set the status. */
  status_set_at: Date | null;
  /** When a person last saved the definition. */
  definition_set_at: Date | null;
  /** Null without a version. */
  definition: Record<string, unknown> | null;
}

const lockedColumns = 'w.id, w.name, w.status, w.version, w.status_set_at, w.definition_set_at, v.definition';
const withVersion = `workflows w
  left join workflow_versions v on v.workspace_id = w.workspace_id and v.workflow_id = w.id and v.version = w.version`;

const selectForUpdate = statement<LockedWorkflow>(`
  select ${lockedColumns} from ${withVersion}
  where w.workspace_id = $1 and w.name = any ($2::text[])
  order by w.name for update of w`);
const selectOneForUpdate = statement<LockedWorkflow>(`
  select ${lockedColumns} from ${withVersion}
  where w.workspace_id = $1 and w.id = $2
  for update of w`);

/** Locks the existing workflows with these names until the end of the transaction. */
export function lockWorkflows(tx: Transaction, workspace_id: string, names: string[]): Promise<LockedWorkflow[]> {
  return selectForUpdate(tx, [workspace_id, names]);
}

/** Locks one workflow until the end of the transaction. */
export async function lockWorkflow(
  tx: Transaction,
  workspace_id: string,
  id: string,
): Promise<LockedWorkflow | undefined> {
  return (await selectOneForUpdate(tx, [workspace_id, id]))[0];
}

export interface StoredWorkflow {
  workspace_id: string;
  id: string;
  name: string;
  status: WorkflowStatus;
  trigger: string;
  waits_for: string | null;
  after_seconds: number | null;
  version: number;
  definition: object;
  updated_at: Date;
  /** The person who saves the version; null for the workspace file. */
  saved_by: string | null;
  /** The earlier version that this one repeats. */
  restored_from?: number;
}

const insertWorkflow = statement(`
  insert into workflows (workspace_id, id, name, status, trigger, waits_for, after_seconds, version, updated_at,
    definition_set_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (workspace_id, id) do update set status = excluded.status, trigger = excluded.trigger,
    waits_for = excluded.waits_for, after_seconds = excluded.after_seconds, version = excluded.version,
    updated_at = excluded.updated_at,
    definition_set_at = coalesce(excluded.definition_set_at, workflows.definition_set_at)`);
const insertVersion = statement(`
  insert into workflow_versions (workspace_id, workflow_id, version, definition, created_at, saved_by, restored_from)
  values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`);

/** Inserts a workflow or updates a locked one, and adds its version if it is new. */
export async function storeWorkflow(tx: Transaction, workflow: StoredWorkflow): Promise<void> {
  const { workspace_id, id, name, status, trigger, waits_for, after_seconds, version, definition, updated_at } =
    workflow;
  const { saved_by, restored_from = null } = workflow;
  const definition_set_at = saved_by === null ? null : updated_at;
  const row = [workspace_id, id, name, status, trigger, waits_for, after_seconds, version, updated_at];
  await insertWorkflow(tx, [...row, definition_set_at]);
  const text = JSON.stringify(definition);
  await lockNamedIn(tx, workspace_id, text);
  await insertVersion(tx, [workspace_id, id, version, text, updated_at, saved_by, restored_from]);
  await enqueueAffectedRuns(tx, workspace_id, id, status, updated_at);
}
