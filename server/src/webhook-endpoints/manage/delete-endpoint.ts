import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import { tidyEndpointJob } from '../jobs.ts';
import { markDeleted } from '../queries.ts';

/** Removes the endpoint with its address and secret. An attempt under way is recorded; no further one follows. */
export async function deleteEndpoint(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  endpoint_id: string,
): Promise<void> {
  const now = clock.now();
  if (!(await markDeleted(tx, workspace_id, endpoint_id, now))) throw new Refusal('not_found');
  await enqueueJobs(tx, [tidyEndpointJob({ workspace_id, endpoint_id }, now)]);
}
