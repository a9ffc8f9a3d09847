import type { Transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import { fetchMediaJob } from '../jobs.ts';
import type { NewMessage } from '../queries.ts';

type Stored = Pick<NewMessage, 'workspace_id' | 'id' | 'channel_id' | 'created_at'>;

/** Enqueues the fetches of the messages' files, where they have one. */
export async function enqueueFetches(
  tx: Transaction,
  messages: readonly (Stored & { platform_media_id?: string | undefined })[],
): Promise<void> {
  const jobs = messages.flatMap(({ workspace_id, id, channel_id, created_at, platform_media_id }) =>
    platform_media_id ? [fetchMediaJob({ workspace_id, message_id: id }, channel_id, created_at)] : [],
  );
  if (jobs.length > 0) await enqueueJobs(tx, jobs);
}
