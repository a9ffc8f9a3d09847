import { type LimitPerKey, limitPerKey } from '../concurrency/limit-per-key.ts';
import type { Config } from '../process/config.ts';
import { createModel, type Model } from './model.ts';
import { ModelFailure } from './model-failure.ts';

/** A model for tasks that somebody waits for, such as drafts. */
export interface RequestedModel extends Model {
  /** Runs a task in the share of its workspace. Throws ModelFailure where the task waits as long as a call may take. */
  inShare: LimitPerKey;
}

// As many as the answers of agents (`answerMessage`). While the server of the model hangs, a workspace asks for no more.
const tasksOfWorkspace = 8;

export function createRequestedModel({
  ai,
  aiTimeoutSeconds,
}: Pick<Config, 'ai' | 'aiTimeoutSeconds'>): RequestedModel {
  const timeout_ms = aiTimeoutSeconds * 1000;
  const error = () => new ModelFailure('too many tasks of the workspace ask the model');
  return {
    ...createModel({ ai, timeout_ms }),
    inShare: limitPerKey({ per_key: tasksOfWorkspace, patience: { ms: timeout_ms, error } }),
  };
}
