import type { Transaction } from '../database/transaction.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { JobHandler } from '../jobs/job.ts';
import type { Resources } from '../process/resources.ts';
import { removeFiles } from './jobs.ts';
import { listNamedMedia } from './named-media.ts';
import { deleteUnused, lockUnused } from './queries.ts';

// A job of this time is due at any position of the test clock.
const always = new Date(0);

/**
 * Deletes the uploads that no message, workflow, template, unread knowledge source, scheduled message or proposal names any more. Their
 * rows go with the transaction, and a job removes the bytes.
 */
export async function removeUploads(tx: Transaction, workspace_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const locked = await lockUnused(tx, workspace_id, ids);
  // Read after the lock, so that the names of earlier transactions count.
  const named = await listNamedMedia(tx, workspace_id);
  await remove(
    tx,
    workspace_id,
    locked.filter((id) => !named.has(id)),
  );
}

/** Deletes the files that a contact sent, unless another message names them: an erasure reaches them wherever they are named. */
export async function removeReceived(tx: Transaction, workspace_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await remove(tx, workspace_id, await lockUnused(tx, workspace_id, ids));
}

async function remove(tx: Transaction, workspace_id: string, locked: readonly string[]): Promise<void> {
  const removed = await deleteUnused(tx, workspace_id, locked);
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
