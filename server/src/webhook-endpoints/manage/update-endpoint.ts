import type { WebhookEndpoint, WebhookEndpointUpdate } from '@majlis/contract';
import { readDataForm } from '../../events/read-data-form.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Transact } from '../../http/request.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Resources } from '../../process/resources.ts';
import { withinQuota } from '../../workspaces/within-quota.ts';
import { tidyEndpointJob } from '../jobs.ts';
import { presentEndpoint } from '../present.ts';
import { changeEndpoint } from '../queries.ts';
import { checkAddress } from './check-address.ts';
import { checkEvents } from './check-events.ts';
import { findEndpoint } from './read-endpoints.ts';

/** Changes the given members. A disabled endpoint gets no more events; one enabled again gets new events only. */
export async function updateEndpoint(
  resources: Resources,
  transact: Transact,
  { workspace_id, id: endpoint_id }: { workspace_id: string; id: string },
  { event_data, ...change }: WebhookEndpointUpdate,
): Promise<WebhookEndpoint> {
  const { config, pool, clock } = resources;
  if (!(await findEndpoint(pool, workspace_id, endpoint_id))) throw new Refusal('not_found');
  if (change.events !== undefined) checkEvents(change.events);
  const form = event_data === undefined ? undefined : readDataForm(event_data);
  if (change.url !== undefined) await checkAddress(resources, change.url);
  return transact(async (tx) => {
    const endpoint = await withinQuota(tx, config.quotas, { workspace_id, kind: 'webhook_endpoints' }, () =>
      changeEndpoint(tx, workspace_id, endpoint_id, { ...change, event_data: form }),
    );
    if (!endpoint) throw new Refusal('not_found');
    if (endpoint.was_enabled && !endpoint.enabled) {
      await enqueueJobs(tx, [tidyEndpointJob({ workspace_id, endpoint_id }, clock.now())]);
    }
    return presentEndpoint(endpoint);
  });
}
