import { parseId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { findPayload } from '../../events/find-payload.ts';
import { invalid, Refusal, unknownReference } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { findEndpoint } from './read-endpoints.ts';
import { replayEvents } from './replay-events.ts';

export interface EventResend {
  workspace_id: string;
  event_id: string;
  /** Undefined: all enabled endpoints that the event was meant for. */
  endpoint_id: string | undefined;
}

const selectReceivers = statement<{ id: string }>(`
  select e.id from webhook_endpoints e
  where e.workspace_id = $1 and e.enabled and e.deleted_at is null and exists (select from webhook_attempts a
    where a.workspace_id = $1 and a.event_id = $2 and a.endpoint_id = e.id)
  order by e.id`);

/** Restarts the deliveries of one event for its workspace. Answers how many it restarted. */
export async function resendEvent(resources: Resources, order: EventResend): Promise<number> {
  const { pool } = resources;
  const { workspace_id } = order;
  const event_id = parseId('event', order.event_id);
  if (!event_id || !(await findPayload(pool, workspace_id, event_id))) throw new Refusal('not_found');
  const targets =
    order.endpoint_id === undefined
      ? (await selectReceivers(pool, [workspace_id, event_id])).map(({ id }) => id)
      : [await findTarget(resources, workspace_id, order.endpoint_id)];
  let restarted = 0;
  for (const endpoint_id of targets) {
    const request = { workspace_id, endpoint_id, event_id, from: null, to: null, undelivered: false };
    restarted += await replayEvents(resources, request);
  }
  return restarted;
}

async function findTarget({ pool }: Resources, workspace_id: string, public_id: string): Promise<string> {
  const id = parseId('webhook_endpoint', public_id);
  const endpoint = id && (await findEndpoint(pool, workspace_id, id));
  if (!endpoint) throw invalid(unknownReference('names no webhook endpoint', '/endpoint_id'));
  if (!endpoint.enabled) throw invalid({ detail: 'is disabled: enable it first', pointer: '/endpoint_id' });
  return endpoint.id;
}
