import type { WorkflowStatus } from '@majlis/contract';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Place } from '../definition/definition.ts';
import type { Scope } from './expand.ts';

export type RunStatus = 'running' | 'completed' | 'failed' | 'cancelled';

/** A run as it stands; who moves it changes these members and saves them. */
export interface Run {
  workspace_id: string;
  id: string;
  workflow_id: string;
  version: number;
  contact_id: string;
  conversation_id: string | null;
  control: 'bot' | 'human';
  status: RunStatus;
  reason: string | null;
  depth: number;
  trigger: Scope;
  results: Record<string, Scope>;
  position: Place;
  turn: number;
  asked_message_id: string | null;
  due_at: Date | null;
  call_job_id: number | null;
  has_control: boolean;
}

const columns = `workspace_id, id, workflow_id, version, contact_id, conversation_id, control, status, reason, depth, trigger, results,
  position, turn, asked_message_id, due_at, call_job_id, has_control`;

const insert = statement(`
  insert into workflow_runs (${columns}, started_at, ended_at)
  select ${columns}, $2, case when status <> 'running' then $2::timestamptz end
  from json_to_record($1) as n (workspace_id uuid, id uuid, workflow_id uuid, version integer, contact_id uuid,
    conversation_id uuid, control text, status text, reason text, depth smallint, trigger json, results json, position integer,
    turn integer, asked_message_id uuid, due_at timestamptz, call_job_id bigint, has_control boolean)`);

export async function insertRun(tx: Transaction, run: Run, now: Date): Promise<void> {
  await insert(tx, [JSON.stringify(run), now]);
}

export interface FoundRun {
  contact_id: string;
  conversation_id: string | null;
  workflow_status: WorkflowStatus;
}

const find = statement<FoundRun>(`
  select r.contact_id, r.conversation_id, w.status as workflow_status
  from workflow_runs r join workflows w on w.workspace_id = r.workspace_id and w.id = r.workflow_id
  where r.workspace_id = $1 and r.id = $2 and r.status = 'running'`);

/** Where a run that goes on belongs, so that this can be locked before it. */
export async function findRun(tx: Transaction, workspace_id: string, id: string): Promise<FoundRun | undefined> {
  return (await find(tx, [workspace_id, id]))[0];
}

const lock = statement<Run>(`
  select ${columns} from workflow_runs where workspace_id = $1 and id = $2 for no key update`);

export async function lockRun(tx: Transaction, workspace_id: string, id: string): Promise<Run | undefined> {
  return (await lock(tx, [workspace_id, id]))[0];
}

const update = statement(`
  update workflow_runs r set conversation_id = n.conversation_id, status = n.status, reason = n.reason,
    results = n.results, position = n.position, turn = n.turn, asked_message_id = n.asked_message_id, due_at = n.due_at,
    call_job_id = n.call_job_id, has_control = n.has_control, is_parked = false, ended_at = case when n.status <> 'running' then $2::timestamptz end
  from json_to_record($1) as n (workspace_id uuid, id uuid, conversation_id uuid, status text, reason text, results json,
    position integer, turn integer, asked_message_id uuid, due_at timestamptz, call_job_id bigint, has_control boolean)
  where r.workspace_id = n.workspace_id and r.id = n.id`);

export interface StepRecord {
  turn: number;
  /** A JSON pointer into the workflow. */
  step: string;
  name: string | null;
  kind: string;
  outcome: string;
  reason: string | null;
}

/** The columns of a `StepRecord`. */
export const stepColumns = 'turn, step, name, kind, outcome, reason';

const insertSteps = statement(`
  insert into workflow_run_steps (workspace_id, run_id, at, ${stepColumns})
  select $1, $2, $4, ${stepColumns} from json_populate_recordset(null::workflow_run_steps, $3)`);

/** Keeps where a run stands now, and what its steps came to. */
export async function saveRun(tx: Transaction, run: Run, steps: readonly StepRecord[], now: Date): Promise<void> {
  const { trigger: _trigger, ...changing } = run;
  await update(tx, [JSON.stringify(changing), now]);
  if (steps.length > 0) await insertSteps(tx, [run.workspace_id, run.id, JSON.stringify(steps), now]);
}

const statusForShare = statement<{ status: WorkflowStatus }>(`
  select status from workflows where workspace_id = $1 and id = $2 for share`);
const park = statement(`
  update workflow_runs set is_parked = true where workspace_id = $1 and id = $2 and status = 'running'`);

/**
 * Leaves a run of a paused workflow where it stands, until the workflow is published again. False where it was by now:
 * whoever publishes waits for us, and wakes what we parked.
 */
export async function parkRun(tx: Transaction, workspace_id: string, workflow_id: string, id: string) {
  const [workflow] = await statusForShare(tx, [workspace_id, workflow_id]);
  if (workflow?.status !== 'paused') return false;
  await park(tx, [workspace_id, id]);
  return true;
}

const selectOther = statement(`
  select from workflow_runs
  where workspace_id = $1 and contact_id = $2 and workflow_id = $3 and status = 'running' limit 1`);

/** Whether a run of this workflow is under way for the contact, whom the transaction holds. */
export async function isUnderWay(
  tx: Transaction,
  { workspace_id, contact_id, workflow_id }: Pick<Run, 'workspace_id' | 'contact_id' | 'workflow_id'>,
): Promise<boolean> {
  return (await selectOther(tx, [workspace_id, contact_id, workflow_id])).length > 0;
}

const selectVersion = statement<{ definition: unknown }>(`
  select definition from workflow_versions where workspace_id = $1 and workflow_id = $2 and version = $3`);

export async function findVersion(
  connection: Connection,
  { workspace_id, workflow_id, version }: Pick<Run, 'workspace_id' | 'workflow_id' | 'version'>,
): Promise<unknown> {
  return (await selectVersion(connection, [workspace_id, workflow_id, version]))[0]?.definition;
}

export interface CurrentWorkflow {
  id: string;
  name: string;
  status: WorkflowStatus;
  trigger: string;
  version: number;
}

const selectById = statement<CurrentWorkflow>(`
  select id, name, status, trigger, version from workflows where workspace_id = $1 and id = $2`);
const selectByName = statement<CurrentWorkflow>(`
  select id, name, status, trigger, version from workflows where workspace_id = $1 and name = $2`);

export async function findWorkflow(
  connection: Connection,
  workspace_id: string,
  by: { id: string } | { name: string },
): Promise<CurrentWorkflow | undefined> {
  const rows =
    'id' in by ? selectById(connection, [workspace_id, by.id]) : selectByName(connection, [workspace_id, by.name]);
  return (await rows)[0];
}
