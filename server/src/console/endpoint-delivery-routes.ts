import { consoleOperations, type EndpointAttempt } from '@majlis/console-api';
import { limits } from '@majlis/contract';
import { parseId } from '../database/ids.ts';
import { momentOf } from '../database/moment-of.ts';
import { findPayload } from '../events/find-payload.ts';
import { readPage } from '../http/page.ts';
import { invalid, Refusal, unknownReference } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { readEndpointState, requireEndpointVersion } from '../webhook-endpoints/manage/read-endpoint-state.ts';
import { findEndpoint, type ListedRow, listAttempts } from '../webhook-endpoints/manage/read-endpoints.ts';
import { replayEvents } from '../webhook-endpoints/manage/replay-events.ts';
import { rotateSecret } from '../webhook-endpoints/manage/rotate-secret.ts';
import { updateEndpoint } from '../webhook-endpoints/manage/update-endpoint.ts';
import { presentAttempt } from '../webhook-endpoints/present.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

const history_ms = limits.webhook.delivery_history_seconds * 1000;
const defaultOverlapSeconds = 86_400;

/** The deliveries of webhook endpoints, for the people who run them: reasons, bodies, replays, new secrets. */
export function endpointDeliveryRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool, clock } = resources;

  serve(consoleOperations.getWebhookEndpointState, async ({ caller, params }) => ({
    status: 200,
    body: await readEndpointState(resources, caller.workspace_id, idOf(params)),
  }));

  serve(consoleOperations.changeWebhookEndpoint, async ({ caller, params, body: { version, ...change } }) => {
    const { workspace_id } = caller;
    const id = idOf(params);
    const endpoint = await updateEndpoint(
      resources,
      (work) =>
        transactionOf(caller, pool, async (tx) => {
          await requireEndpointVersion(tx, workspace_id, id, version);
          await recordActs(tx, clock, [toAct(caller, 'changeWebhookEndpoint', params, change)]);
          return work(tx);
        }),
      { workspace_id, id },
      change,
    );
    return { status: 200, body: endpoint };
  });

  serve(consoleOperations.listWebhookAttempts, async ({ caller: { workspace_id }, params, query }) => {
    const endpoint = await requireEndpoint(workspace_id, params);
    const since = new Date(clock.nowMs() - history_ms);
    const scope = `${consoleOperations.listWebhookAttempts.id} ${endpoint.id}`;
    const body = await readPage(
      resources,
      { workspace_id, scope, cursor: query.cursor },
      {
        fetch(position, count) {
          const after = position && { listed_at: position[0]!, id: position[1]! };
          return listAttempts(pool, workspace_id, endpoint.id, { since, after, count });
        },
        positionOf: (row) => [row.listed_at.toISOString(), row.id],
        present: presentReason,
      },
    );
    return { status: 200, body };
  });

  serve(consoleOperations.getEventBody, async ({ caller, params }) => {
    const id = parseId('event', params.event_id);
    const body = id && (await findPayload(pool, caller.workspace_id, id));
    if (!body)
      throw new Refusal('not_found', { detail: 'The event is not kept: it is a test call, erased or too old.' });
    return { status: 200, body: { body } };
  });

  serve(consoleOperations.replayWebhookDeliveries, async ({ caller, params, body }) => {
    const { workspace_id } = caller;
    const { id: endpoint_id, enabled } = await requireEndpoint(workspace_id, params);
    if (!enabled) throw new Refusal('endpoint_disabled', { detail: 'Enable the endpoint first.' });
    const from = readMoment(body.from, '/from');
    const to = readMoment(body.to, '/to');
    const event_id = body.event_id === undefined ? undefined : await findEvent(workspace_id, body.event_id);
    const undelivered = body.undelivered ?? (!event_id && !from && !to);
    // The act is recorded first: a long replay spans many transactions.
    await transactionOf(caller, pool, (tx) =>
      recordActs(tx, clock, [toAct(caller, 'replayWebhookDeliveries', params, body)]),
    );
    const request = { workspace_id, endpoint_id, from, to, undelivered, ...(event_id && { event_id }) };
    return { status: 200, body: { replayed: await replayEvents(resources, request) } };
  });

  serve(consoleOperations.rotateWebhookSecret, async ({ caller, params, body }) => {
    const { overlap_seconds = defaultOverlapSeconds } = body;
    const endpoint = { workspace_id: caller.workspace_id, id: idOf(params), overlap_seconds };
    const { secret, old_secret_until } = await transactionOf(caller, pool, async (tx) => {
      await recordActs(tx, clock, [toAct(caller, 'rotateWebhookSecret', params, { overlap_seconds })]);
      return rotateSecret(tx, resources, endpoint);
    });
    return {
      status: 200,
      body: { secret, ...(old_secret_until && { old_secret_until: old_secret_until.toISOString() }) },
    };
  });

  async function requireEndpoint(workspace_id: string, params: { endpoint_id: string }) {
    const endpoint = await findEndpoint(pool, workspace_id, idOf(params));
    if (!endpoint) throw new Refusal('not_found');
    return endpoint;
  }

  async function findEvent(workspace_id: string, event_id: string): Promise<string> {
    const id = parseId('event', event_id);
    if (!id || !(await findPayload(pool, workspace_id, id))) {
      throw invalid(unknownReference('names no event that is kept', '/event_id'));
    }
    return id;
  }
}

const idOf = ({ endpoint_id }: { endpoint_id: string }) => requireId('webhook_endpoint', endpoint_id);

function readMoment(text: string | undefined, pointer: string): Date | null {
  if (text === undefined) return null;
  const moment = momentOf(text);
  if (!moment) throw invalid({ detail: 'is no moment of the years 1 to 9999', pointer });
  return moment;
}

function presentReason(row: ListedRow): EndpointAttempt {
  return {
    ...presentAttempt(row),
    at: row.listed_at.toISOString(),
    ...(row.reason !== null && { reason: row.reason }),
  };
}
