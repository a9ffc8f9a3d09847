import type { WebhookDelivery, WebhookEndpoint } from '@majlis/contract';
import { publicId } from '../database/ids.ts';
import type { AttemptOutcome, EndpointRow } from './queries.ts';

/** Without the secret, which only the registration shows. */
export function presentEndpoint({ id, url, events, enabled, event_data, created_at }: EndpointRow): WebhookEndpoint {
  return {
    id: publicId('webhook_endpoint', id),
    url,
    events,
    enabled,
    created_at: created_at.toISOString(),
    // An extension: only those who asked for it see it.
    ...(event_data !== 'basic' && { event_data }),
  };
}

export interface ListedAttempt extends AttemptOutcome {
  id: string;
  event_id: string;
  event_type: string;
  attempt: number;
  delivered_at: Date | null;
}

export function presentAttempt(row: ListedAttempt): WebhookDelivery {
  const { response_status, duration_ms, delivered_at } = row;
  return {
    id: publicId('webhook_attempt', row.id),
    event_id: publicId('event', row.event_id),
    event_type: row.event_type,
    attempt: row.attempt,
    ...(response_status !== null && { response_status }),
    ...(duration_ms !== null && { duration_ms }),
    ...(delivered_at && { delivered_at: delivered_at.toISOString() }),
  };
}
