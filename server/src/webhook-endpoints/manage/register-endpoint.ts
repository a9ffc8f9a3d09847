import type { WebhookEndpoint, WebhookEndpointCreate } from '@majlis/contract';
import { newId } from '../../database/ids.ts';
import { readDataForm } from '../../events/read-data-form.ts';
import type { Transact } from '../../http/request.ts';
import type { Resources } from '../../process/resources.ts';
import { withinQuota } from '../../workspaces/within-quota.ts';
import { newSecret } from '../new-secret.ts';
import { presentEndpoint } from '../present.ts';
import { insertEndpoint, secretContext } from '../queries.ts';
import { checkAddress } from './check-address.ts';
import { checkEvents } from './check-events.ts';

/** Registers an address for events from now on. Only this answer holds the secret. */
export async function registerEndpoint(
  resources: Resources,
  transact: Transact,
  workspace_id: string,
  { url, events, description, event_data }: WebhookEndpointCreate,
): Promise<WebhookEndpoint> {
  const { config, clock, secretBox } = resources;
  checkEvents(events);
  const form = readDataForm(event_data);
  await checkAddress(resources, url);
  const secret = newSecret();
  const row = {
    workspace_id,
    id: newId(clock),
    url,
    events,
    description: description ?? null,
    event_data: form,
    secret: secretBox.seal(secret, secretContext),
    created_at: clock.now(),
  };
  const endpoint = await transact((tx) =>
    withinQuota(tx, config.quotas, { workspace_id, kind: 'webhook_endpoints' }, () => insertEndpoint(tx, row)),
  );
  return { ...presentEndpoint(endpoint), secret };
}
