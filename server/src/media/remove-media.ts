import type { Transaction } from '../database/transaction.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import { removeFilesJob } from './jobs.ts';
import { deleteUnused } from './queries.ts';

/**
 * Removes media that lost the messages which named them: those that another message still names stay. Their rows go
 * with the transaction, so nobody can read them from then on; a job removes the bytes.
 */
export async function removeMedia(tx: Transaction, workspace_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const removed = await deleteUnused(tx, workspace_id, ids);
  if (removed.length === 0) return;
  await enqueueJobs(tx, [
    removeFilesJob(
      workspace_id,
      removed.map(({ id }) => id),
    ),
  ]);
}
