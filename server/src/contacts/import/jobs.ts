import type { NewJob } from '../../jobs/job.ts';

/** Imports the next chunk of a file and enqueues itself. Group: the workspace. */
export const importChunk = 'contacts.import_chunk';

/** Deletes the rows that imports left out, and old imports, every hour. */
export const forgetImports = 'contacts.forget_imports';

export interface ImportRef {
  workspace_id: string;
  import_id: string;
}

export interface Chunk extends ImportRef {
  /** Fewer rows than usual, after a refusal of the whole chunk. */
  count?: number;
  /** The use case refused its one row. */
  leaves_out?: true;
}

export function chunkJob({ workspace_id, import_id }: ImportRef, run_at: Date): NewJob {
  const payload = JSON.stringify({ workspace_id, import_id } satisfies ImportRef);
  return { kind: importChunk, group_id: workspace_id, payload, run_at };
}

export function readChunk(payload: string): Chunk {
  return JSON.parse(payload) as Chunk;
}
