import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { InstructionIndex } from '../definition/definition.ts';
import { loadProgram } from './load-program.ts';
import type { RunRow } from './read-runs.ts';

/** A run with the step where it stands. */
export interface RunStateRow extends RunRow {
  contact_name: string | null;
  position: InstructionIndex;
  is_asking: boolean;
  is_proposing: boolean;
  is_parked: boolean;
  due_at: Date | null;
  last_step: string | null;
}

const columns = `r.id, r.workflow_id, r.version, r.contact_id, r.conversation_id, r.status, r.reason, r.started_at, r.ended_at,
    c.name as contact_name, r.position, r.asked_message_id is not null as is_asking,
    r.proposal_id is not null as is_proposing, r.is_parked, r.due_at,
    (select s.step from workflow_run_steps s where s.workspace_id = r.workspace_id and s.run_id = r.id
      order by s.turn desc limit 1) as last_step`;
const joined = `workflow_runs r
  join contacts c on c.workspace_id = r.workspace_id and c.id = r.contact_id`;

const selectOfWorkflow = statement<RunStateRow>(`
  select ${columns} from ${joined}
  where r.workspace_id = $1 and r.workflow_id = $2 and ($3::uuid is null or r.id < $3) and ($4::text is null or r.status = $4)
  order by r.id desc limit $5`);
const selectOne = statement<RunStateRow>(`
  select ${columns} from ${joined} where r.workspace_id = $1 and r.id = $2`);

/** The runs of a workflow, the latest first. */
export function listRunStates(
  connection: Connection,
  { workspace_id, workflow_id }: { workspace_id: string; workflow_id: string },
  { status, before, count }: { status: string | undefined; before: string | undefined; count: number },
): Promise<RunStateRow[]> {
  return selectOfWorkflow(connection, [workspace_id, workflow_id, before ?? null, status ?? null, count]);
}

export async function findRunState(
  connection: Connection,
  workspace_id: string,
  id: string,
): Promise<RunStateRow | undefined> {
  return (await selectOne(connection, [workspace_id, id]))[0];
}

/** The pointer to the step where a run stands or ended; null before its first step and where its version cannot be read. */
export async function findStanding(
  connection: Connection,
  workspace_id: string,
  row: RunStateRow,
): Promise<string | null> {
  const { workflow_id, version, position, last_step, status, due_at, is_asking, is_proposing } = row;
  const waits = due_at !== null && !is_asking && !is_proposing;
  if (status !== 'running' || waits || position === null) return last_step;
  const program = await loadProgram(connection, { workspace_id, workflow_id, version }).catch(() => undefined);
  return program?.instructions[position]?.pointer ?? last_step;
}
