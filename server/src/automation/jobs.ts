import type { NewJob } from '../jobs/job.ts';

/** Starts a workflow for an event if its conditions hold. Group: the workspace; queue key: the conversation. */
export const beginRun = 'workflows.begin_run';

/**
 * Advances a run. Group: the workspace. The queue key of an immediate job is its run, so that the first of two replies
 * counts. A job with a later time has no queue key: it would block a reply that comes first.
 */
export const continueRun = 'workflows.continue_run';

/** Lets the controlling AI agent answer a message. Group: the workspace; queue key: the conversation. */
export const answerMessage = 'ai.answer_message';

/** The event that starts a run. */
export interface BeginRun {
  workspace_id: string;
  workflow_id: string;
  contact_id: string | null;
  conversation_id: string | null;
  message_id: string | null;
  detail: Record<string, unknown> | null;
  depth: number;
  root_run_id: string | null;
}

export interface ContinueRun {
  workspace_id: string;
  run_id: string;
  workflow_id: string;
  /** The turn of the run; the job has no effect in a later turn. */
  turn: number;
  /** The reply of the customer. */
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
