import { statement } from '../../database/query.ts';
import { transaction } from '../../database/transaction.ts';
import { deliverEvent, readAttemptRef } from '../../events/delivery-job.ts';
import { takeWaiting } from '../../jobs/groups.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import type { Resources } from '../../process/resources.ts';
import { type EndpointRef, readEndpointRef, tidyEndpoint } from '../jobs.ts';
import { markSkipped } from '../queries.ts';

const batchSize = 1_000;

// The share lock delays an enabling until the commit, so only attempts of past terms are taken.
const lockDisabled = statement<{ id: string }>(`
  select id from webhook_endpoints where workspace_id = $1 and id = $2 and not enabled for share`);

/**
 * Removes the waiting deliveries of a disabled or deleted endpoint and lists them as not attempted. If the endpoint is enabled
 * again before the end, the rest is handled the same way when due.
 */
export function tidyEndpointHandler({ pool, clock }: Resources): JobHandler {
  function tidyBatch({ workspace_id, endpoint_id }: EndpointRef): Promise<number> {
    return transaction(pool, async (tx) => {
      if ((await lockDisabled(tx, [workspace_id, endpoint_id])).length === 0) return 0;
      const payloads = await takeWaiting(tx, { kind: deliverEvent, group_id: endpoint_id, limit: batchSize });
      await markSkipped(tx, payloads.map(readAttemptRef), clock.now());
      return payloads.length;
    });
  }

  async function run(job: Job): Promise<JobOutcome> {
    const ref = readEndpointRef(job.payload);
    while ((await tidyBatch(ref)) === batchSize);
    return { type: 'done' };
  }

  return { kind: tidyEndpoint, concurrency: 4, group_concurrency: 1, run };
}
