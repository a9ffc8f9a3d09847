import type { WebhookEndpoint, WebhookEndpointUpdate } from '@majlis/contract';
import { transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Resources } from '../../process/resources.ts';
import { tidyEndpointJob } from '../jobs.ts';
import { presentEndpoint } from '../present.ts';
import { changeEndpoint } from '../queries.ts';
import { checkAddress } from './check-address.ts';
import { checkEvents } from './check-events.ts';
import { findEndpoint } from './read-endpoints.ts';

/** Changes the given members. A disabled endpoint gets no more events; one enabled again gets new events only. */
export async function updateEndpoint(
  resources: Resources,
  workspace_id: string,
  endpoint_id: string,
  change: WebhookEndpointUpdate,
): Promise<WebhookEndpoint> {
  const { pool, clock } = resources;
  if (!(await findEndpoint(pool, workspace_id, endpoint_id))) throw new Refusal('not_found');
  if (change.events !== undefined) checkEvents(change.events);
  if (change.url !== undefined) await checkAddress(resources, change.url);
  return transaction(pool, async (tx) => {
    const endpoint = await changeEndpoint(tx, workspace_id, endpoint_id, change);
    if (!endpoint) throw new Refusal('not_found');
    if (endpoint.was_enabled && !endpoint.enabled) {
      await enqueueJobs(tx, [tidyEndpointJob({ workspace_id, endpoint_id }, clock.now())]);
    }
    return presentEndpoint(endpoint);
  });
}
