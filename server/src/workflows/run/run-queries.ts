import type { WorkflowStatus } from '@majlis/contract';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { InstructionIndex } from '../definition/definition.ts';
import type { VariableScope } from './expand.ts';

export type RunStatus = 'running' | 'completed' | 'failed' | 'cancelled';

/** The state of a run. The code that advances a run changes and saves it. */
export interface RunState {
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
  /** The first run of its chain; null for that run itself. */
  root_run_id: string | null;
  trigger: VariableScope;
  results: Record<string, VariableScope>;
  position: InstructionIndex;
  turn: number;
  asked_message_id: string | null;
  /** The proposal whose decision the run waits for. */
  proposal_id: string | null;
  due_at: Date | null;
  call_job_id: number | null;
  has_control: boolean;
}

const stateColumns = `workspace_id, id, workflow_id, version, contact_id, conversation_id, control, status, reason, depth,
  root_run_id, trigger, results, position, turn, asked_message_id, proposal_id, due_at, call_job_id, has_control`;

const insertState = statement(`
  insert into workflow_runs (${stateColumns}, started_at, ended_at)
  select ${stateColumns}, $2, case when status <> 'running' then $2::timestamptz end
  from json_to_record($1) as n (workspace_id uuid, id uuid, workflow_id uuid, version integer, contact_id uuid,
    conversation_id uuid, control text, status text, reason text, depth smallint, root_run_id uuid, trigger json, results json, position integer,
    turn integer, asked_message_id uuid, proposal_id uuid, due_at timestamptz, call_job_id bigint, has_control boolean)`);

export async function insertRun(tx: Transaction, run: RunState, now: Date): Promise<void> {
  await insertState(tx, [JSON.stringify(run), now]);
}

export interface RunOwners {
  contact_id: string;
  conversation_id: string | null;
  workflow_status: WorkflowStatus;
}

const selectOwners = statement<RunOwners>(`
  select r.contact_id, r.conversation_id, w.status as workflow_status
  from workflow_runs r join workflows w on w.workspace_id = r.workspace_id and w.id = r.workflow_id
  where r.workspace_id = $1 and r.id = $2 and r.status = 'running'`);

/** The contact and conversation of a running run, to lock them before the run. */
export async function findRunOwners(tx: Transaction, workspace_id: string, id: string): Promise<RunOwners | undefined> {
  return (await selectOwners(tx, [workspace_id, id]))[0];
}

const selectState = statement<RunState>(`
  select ${stateColumns} from workflow_runs where workspace_id = $1 and id = $2 for no key update`);

export async function selectRunForUpdate(
  tx: Transaction,
  workspace_id: string,
  id: string,
): Promise<RunState | undefined> {
  return (await selectState(tx, [workspace_id, id]))[0];
}

const updateState = statement(`
  update workflow_runs r set conversation_id = n.conversation_id, status = n.status, reason = n.reason,
    results = n.results, position = n.position, turn = n.turn, asked_message_id = n.asked_message_id,
    proposal_id = n.proposal_id, due_at = n.due_at, call_job_id = n.call_job_id, has_control = n.has_control, is_parked = false, ended_at = case when n.status <> 'running' then $2::timestamptz end
  from json_to_record($1) as n (workspace_id uuid, id uuid, conversation_id uuid, status text, reason text, results json,
    position integer, turn integer, asked_message_id uuid, proposal_id uuid, due_at timestamptz, call_job_id bigint, has_control boolean)
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

/** Saves the state of a run and adds the records of its steps. */
export async function saveRun(tx: Transaction, run: RunState, steps: readonly StepRecord[], now: Date): Promise<void> {
  const { trigger: _trigger, ...changing } = run;
  await updateState(tx, [JSON.stringify(changing), now]);
  if (steps.length > 0) await insertSteps(tx, [run.workspace_id, run.id, JSON.stringify(steps), now]);
}

const lockStatus = statement<{ status: WorkflowStatus }>(`
  select status from workflows where workspace_id = $1 and id = $2 for share`);
const park = statement(`
  update workflow_runs set is_parked = true where workspace_id = $1 and id = $2 and status = 'running'`);

/**
 * Parks a run of a paused workflow until the workflow is published again. False if the workflow is no longer paused. The
 * shared lock makes a concurrent publication wait, so that it resumes the parked run.
 */
export async function parkRun(tx: Transaction, workspace_id: string, workflow_id: string, id: string) {
  const [workflow] = await lockStatus(tx, [workspace_id, workflow_id]);
  if (workflow?.status !== 'paused') return false;
  await park(tx, [workspace_id, id]);
  return true;
}

const selectOther = statement(`
  select from workflow_runs
  where workspace_id = $1 and contact_id = $2 and workflow_id = $3 and status = 'running' limit 1`);

/** Whether the contact, which the transaction has locked, has a running run of this workflow. */
export async function hasRunningRun(
  tx: Transaction,
  { workspace_id, contact_id, workflow_id }: Pick<RunState, 'workspace_id' | 'contact_id' | 'workflow_id'>,
): Promise<boolean> {
  return (await selectOther(tx, [workspace_id, contact_id, workflow_id])).length > 0;
}

const selectVersion = statement<{ definition: unknown }>(`
  select definition from workflow_versions where workspace_id = $1 and workflow_id = $2 and version = $3`);

export async function findVersion(
  connection: Connection,
  { workspace_id, workflow_id, version }: Pick<RunState, 'workspace_id' | 'workflow_id' | 'version'>,
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

const selectTurn = statement<Pick<RunState, 'workspace_id' | 'id' | 'workflow_id' | 'turn'>>(`
  select workspace_id, id, workflow_id, turn from workflow_runs
  where workspace_id = $1 and id = $2 and status = 'running'`);

/** The turn of a running run, whose conversation is locked. */
export async function findRunTurn(connection: Connection, workspace_id: string, id: string) {
  return (await selectTurn(connection, [workspace_id, id]))[0];
}
