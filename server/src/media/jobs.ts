import type { FileKey } from '../files/file-store.ts';
import type { NewJob } from '../jobs/job.ts';

/** The kind of the jobs that remove the bytes of deleted media. The group is the workspace. */
export const removeFiles = 'media.remove_files';

/** The kind of the job that removes unused media: uploads that were never sent, and bytes without a row. */
export const sweepMedia = 'media.sweep_media';

// The job is due at any position of the test clock.
const atOnce = new Date(0);

export function removeFilesJob(workspace_id: string, ids: readonly string[]): NewJob {
  return { kind: removeFiles, group_id: workspace_id, payload: JSON.stringify(ids), run_at: atOnce };
}

export function readFileKeys(group_id: string, payload: string): FileKey[] {
  return (JSON.parse(payload) as string[]).map((id) => ({ workspace_id: group_id, id }));
}
