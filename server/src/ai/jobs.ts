import type { NewJob } from '../jobs/job.ts';

/** Reads a knowledge source and makes it searchable. Group: the workspace. */
export const indexSource = 'ai.index_source';

/** Embeds passages without a vector, periodically. */
export const embedMissing = 'ai.embed_missing';

export interface SourceRef {
  workspace_id: string;
  source_id: string;
  /** How often the source could not be read. */
  tries?: number;
}

export function indexSourceJob({ workspace_id, source_id }: SourceRef, run_at: Date): NewJob {
  const ref: SourceRef = { workspace_id, source_id };
  return { kind: indexSource, group_id: workspace_id, payload: JSON.stringify(ref), run_at };
}

export function readSourceRef(payload: string): SourceRef {
  return JSON.parse(payload) as SourceRef;
}

export interface AnswerRef {
  workspace_id: string;
  conversation_id: string;
  /** The message of the customer. */
  message_id: string;
}

export function readAnswerRef(payload: string): AnswerRef {
  return JSON.parse(payload) as AnswerRef;
}
