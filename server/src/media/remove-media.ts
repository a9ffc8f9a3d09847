import type { Transaction } from '../database/transaction.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { JobHandler } from '../jobs/job.ts';
import type { Resources } from '../process/resources.ts';
import { removeFiles } from './jobs.ts';
import { deleteUnused } from './queries.ts';

// A job of this time is due at any position of the test clock.
const always = new Date(0);

/** Deletes media that no message names any more. Their rows go with the transaction, and a job removes the bytes. */
export async function removeMedia(tx: Transaction, workspace_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const removed = await deleteUnused(tx, workspace_id, ids);
  if (removed.length === 0) return;
  const payload = JSON.stringify(removed.map(({ id }) => id));
  await enqueueJobs(tx, [{ kind: removeFiles, group_id: workspace_id, payload, run_at: always }]);
}

/** Removes the bytes of deleted media. */
export function removeFilesHandler({ files }: Resources): JobHandler {
  return {
    kind: removeFiles,
    concurrency: 4,
    group_concurrency: 1,
    async run({ group_id, payload }) {
      for (const id of JSON.parse(payload) as string[]) await files.remove({ workspace_id: group_id, id });
      return { type: 'done' };
    },
  };
}
