import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { type StepRecord, stepColumns } from './run-queries.ts';

export interface RunRow {
  id: string;
  workflow_id: string;
  version: number;
  contact_id: string;
  conversation_id: string | null;
  status: string;
  reason: string | null;
  started_at: Date;
  ended_at: Date | null;
}

const columns = 'id, workflow_id, version, contact_id, conversation_id, status, reason, started_at, ended_at';

const selectAll = statement<RunRow>(`
  select ${columns} from workflow_runs where workspace_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`);
const selectOfWorkflow = statement<RunRow>(`
  select ${columns} from workflow_runs
  where workspace_id = $1 and workflow_id = $4 and ($2::uuid is null or id < $2) order by id desc limit $3`);

export interface RunPage {
  workflow_id: string | undefined;
  before: string | undefined;
  count: number;
}

/** The latest first, from the run `before` on. */
export function listWorkflowRuns(
  connection: Connection,
  workspace_id: string,
  { workflow_id, before = undefined, count }: RunPage,
): Promise<RunRow[]> {
  const values = [workspace_id, before ?? null, count];
  return workflow_id ? selectOfWorkflow(connection, [...values, workflow_id]) : selectAll(connection, values);
}

const selectOne = statement<RunRow>(`select ${columns} from workflow_runs where workspace_id = $1 and id = $2`);

export async function findWorkflowRun(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<RunRow | undefined> {
  return (await selectOne(connection, [workspace_id, id]))[0];
}

const selectSteps = statement<StepRecord & { at: Date }>(`
  select ${stepColumns}, at from workflow_run_steps
  where workspace_id = $1 and run_id = $2 order by turn`);

/** The steps of a run in the order of their execution. */
export function listRunSteps(connection: Connection, workspace_id: string, run_id: string) {
  return selectSteps(connection, [workspace_id, run_id]);
}
