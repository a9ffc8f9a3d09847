import type { RunChain } from '../../automation/trigger-workflows.ts';
import type { Actor } from '../../conversations/change/record-changes.ts';
import type { Program } from '../definition/definition.ts';
import type { RunState } from './run-queries.ts';

type NewRun = Pick<
  RunState,
  'workspace_id' | 'workflow_id' | 'version' | 'contact_id' | 'conversation_id' | 'depth' | 'root_run_id' | 'trigger'
>;

/** A run without a program. */
export function newRun(id: string, given: NewRun): RunState {
  return {
    ...given,
    id,
    control: 'bot',
    ...{ status: 'running', reason: null, results: {}, position: null, turn: 0 },
    ...{ asked_message_id: null, proposal_id: null, due_at: null, call_job_id: null, has_control: false },
  };
}

/** Who does what the steps of the run do. */
export function actorOfRun({ workflow_id }: RunState): Actor {
  return { kind: 'workflow', id: workflow_id };
}

/** The chain of the runs that this run starts. */
export function chainBehind({ id, root_run_id, depth }: RunState): RunChain {
  return { root_run_id: root_run_id ?? id, depth: depth + 1 };
}

/** Sets a run to the first step of its program. */
export function setStart(run: RunState, { control, start }: Program): void {
  run.control = control;
  run.position = start;
}
