import type { NewJob } from '../jobs/job.ts';

/** Starts a workflow, if its conditions hold, for what happened. Group: the workspace; queue key: the conversation. */
export const beginRun = 'workflows.begin_run';

/**
 * Moves a run on. Group: the workspace. What is due at once has the queue key of its run, so that of two answers the first
 * counts; what waits for a time is in none, as it would hold up an answer that comes before.
 */
export const continueRun = 'workflows.continue_run';

/** Lets the agent that controls a conversation answer what was written. Group: the workspace; queue key: the conversation. */
export const answerMessage = 'ai.answer_message';

/** What happened, as a run reads it when it begins. */
export interface BeginRun {
  workspace_id: string;
  workflow_id: string;
  contact_id: string | null;
  conversation_id: string | null;
  message_id: string | null;
  detail: Record<string, unknown> | null;
  depth: number;
}

export interface ContinueRun {
  workspace_id: string;
  run_id: string;
  workflow_id: string;
  /** The move that this is for. */
  turn: number;
  /** The answer of the customer. */
  message_id?: string | null;
}

export function continueRunJob(run: ContinueRun, run_at: Date, waits: boolean): NewJob {
  const { workspace_id, run_id, workflow_id, turn } = run;
  const payload: ContinueRun = { workspace_id, run_id, workflow_id, turn };
  return {
    kind: continueRun,
    group_id: workspace_id,
    queue_key: waits ? undefined : run_id,
    payload: JSON.stringify(payload),
    run_at,
  };
}

export function readBeginRun(payload: string): BeginRun {
  return JSON.parse(payload) as BeginRun;
}

export function readContinueRun(payload: string): ContinueRun {
  return JSON.parse(payload) as ContinueRun;
}
