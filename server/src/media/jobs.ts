import type { FileKey } from '../files/file-store.ts';
import type { NewJob } from '../jobs/job.ts';

/** Removes the bytes of media whose rows are deleted. Group: the workspace. */
export const removeFiles = 'media.remove_files';

/** Cleans up what nobody uses: uploads that were never sent, bytes without a row. */
export const sweepMedia = 'media.sweep_media';

// Due whatever the clock says.
const atOnce = new Date(0);

export function removeFilesJob(workspace_id: string, ids: readonly string[]): NewJob {
  return { kind: removeFiles, group_id: workspace_id, payload: JSON.stringify(ids), run_at: atOnce };
}

export function readFileKeys(group_id: string, payload: string): FileKey[] {
  return (JSON.parse(payload) as string[]).map((id) => ({ workspace_id: group_id, id }));
}
