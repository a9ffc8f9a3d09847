import type { WebhookEndpoint, WebhookEndpointCreate } from '@majlis/contract';
import { newId } from '../../database/ids.ts';
import type { Resources } from '../../process/resources.ts';
import { newSecret } from '../new-secret.ts';
import { presentEndpoint } from '../present.ts';
import { insertEndpoint, secretContext } from '../queries.ts';
import { checkAddress } from './check-address.ts';
import { checkEvents } from './check-events.ts';

/** Registers an address for events from now on. Only this answer holds the secret. */
export async function registerEndpoint(
  resources: Resources,
  workspace_id: string,
  { url, events, description }: WebhookEndpointCreate,
): Promise<WebhookEndpoint> {
  const { pool, clock, secretBox } = resources;
  checkEvents(events);
  await checkAddress(resources, url);
  const secret = newSecret();
  const endpoint = await insertEndpoint(pool, {
    workspace_id,
    id: newId(clock),
    url,
    events,
    description: description ?? null,
    secret: secretBox.seal(secret, secretContext),
    created_at: clock.now(),
  });
  return { ...presentEndpoint(endpoint), secret };
}
