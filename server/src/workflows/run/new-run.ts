import type { Program } from '../definition/definition.ts';
import type { Run } from './run-queries.ts';

type Given = Pick<
  Run,
  'workspace_id' | 'workflow_id' | 'version' | 'contact_id' | 'conversation_id' | 'depth' | 'trigger'
>;

/** A run that no program is given to yet. */
export function newRun(id: string, given: Given): Run {
  return {
    ...given,
    id,
    control: 'bot',
    ...{ status: 'running', reason: null, results: {}, position: null, turn: 0 },
    ...{ asked_message_id: null, due_at: null, call_job_id: null, has_control: false },
  };
}

/** Sets a run before the first step of its program. */
export function setOff(run: Run, { control, start }: Program): void {
  run.control = control;
  run.position = start;
}
