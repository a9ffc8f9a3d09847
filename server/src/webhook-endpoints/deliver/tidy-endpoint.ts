import { statement } from '../../database/query.ts';
import { transaction } from '../../database/transaction.ts';
import { deliverEvent, readAttemptRef } from '../../events/delivery-job.ts';
import { takeWaiting } from '../../jobs/groups.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import type { Resources } from '../../process/resources.ts';
import { type EndpointRef, readEndpointRef, tidyEndpoint } from '../jobs.ts';
import { hold } from '../queries.ts';

const batch = 1_000;

// For share: it is not enabled again before the batch is committed, so what is taken away is of its past terms alone.
const lockDisabled = statement<{ id: string }>(`
  select id from webhook_endpoints where workspace_id = $1 and id = $2 and not enabled for share`);

/**
 * Takes away what waits for an endpoint that was disabled or deleted, and lists it as not attempted. Where the endpoint is
 * enabled again before the end, the rest goes the same way as it comes due.
 */
export function tidyEndpointHandler({ pool, clock }: Resources): JobHandler {
  function holdBatch({ workspace_id, endpoint_id }: EndpointRef): Promise<number> {
    return transaction(pool, async (tx) => {
      if ((await lockDisabled(tx, [workspace_id, endpoint_id])).length === 0) return 0;
      const payloads = await takeWaiting(tx, { kind: deliverEvent, group_id: endpoint_id, limit: batch });
      await hold(tx, payloads.map(readAttemptRef), clock.now());
      return payloads.length;
    });
  }

  async function run(job: Job): Promise<JobOutcome> {
    const ref = readEndpointRef(job.payload);
    while ((await holdBatch(ref)) === batch);
    return { type: 'done' };
  }

  return { kind: tidyEndpoint, concurrency: 4, group_concurrency: 1, run };
}
