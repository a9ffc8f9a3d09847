import { type AnyEventType, allEvents, allEventTypes, eventDetails, type WebhookDelivery } from '@majlis/contract';
import { newId } from '../../database/ids.ts';
import { composeEnvelope } from '../../events/compose-envelope.ts';
import { rateLimited } from '../../http/limit-requests.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { postEvent } from '../deliver/post-event.ts';
import { presentAttempt } from '../present.ts';
import { insertTestAttempt } from '../queries.ts';
import { isDelivered } from '../rules.ts';
import { findEndpoint } from './read-endpoints.ts';

// A test call that would wait longer for its turn at the host is refused with 429.
const longestWaitMs = 1_000;

/**
 * Posts one signed test event: the documented example of a subscribed type. The attempt is listed, never retried, and does not
 * change the endpoint's count of failures. The endpoint may be disabled.
 */
export function createTestEndpoint(resources: Resources) {
  const { pool, clock, config, hostCalls } = resources;

  return async (workspace_id: string, endpoint_id: string): Promise<WebhookDelivery> => {
    const endpoint = await findEndpoint(pool, workspace_id, endpoint_id);
    if (!endpoint) throw new Refusal('not_found');
    const wait_ms = hostCalls.waitFor(endpoint.url, workspace_id);
    if (wait_ms > longestWaitMs) {
      const limit = config.webhookHostRate;
      const what = `${limit} webhook calls a second to one host`;
      throw rateLimited({ limit, reset_seconds: Math.ceil(wait_ms / 1000), what });
    }
    await hostCalls.takeTurn(endpoint.url, { caller_id: endpoint.id, owner_id: workspace_id });
    const event_id = newId(clock);
    const event_type = typeFor(endpoint.events);
    const listed_at = clock.now();
    const data = exampleOf(event_type, endpoint.event_data);
    const created_at = listed_at.toISOString();
    const payload = composeEnvelope({ workspace_id, id: event_id, type: event_type, created_at, data });
    const outcome = await postEvent(resources, { ...endpoint, payload });
    const delivered_at = isDelivered(outcome.response_status) ? listed_at : null;
    const attempt = { id: newId(clock), event_id, event_type, attempt: 1, listed_at, delivered_at, ...outcome };
    await insertTestAttempt(pool, { ...attempt, workspace_id, endpoint_id });
    return presentAttempt(attempt);
  };
}

function exampleOf(type: AnyEventType, form: string): object {
  const { example } = allEvents[type];
  const details = eventDetails[type]?.example as { message?: object } | undefined;
  if (form !== 'full' || !details) return example;
  const message = 'message' in example && { message: { ...example.message, ...details.message } };
  return { ...example, ...details, ...message };
}

/** The first documented type among the subscribed ones. */
function typeFor(subscribed: readonly string[]): AnyEventType {
  return allEventTypes.find((type) => subscribed.includes(type)) ?? allEventTypes[0]!;
}
