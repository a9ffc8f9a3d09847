import { parseId } from '../../server/src/database/ids.ts';
import { eventually } from './eventually.ts';
import type { AnyJson } from './json.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** An endpoint for all events of a workspace of its own, whose receiver answers 500. */
export interface FailingEndpoint {
  workspace: TestWorkspace;
  receiver: WebhookReceiver;
  endpoint: AnyJson;
}

export async function openFailingEndpoint(
  majlis: TestService,
  file?: Record<string, unknown>,
): Promise<FailingEndpoint> {
  const workspace = await majlis.workspace(file);
  const receiver = await startWebhookReceiver();
  receiver.answer(500);
  const { body } = await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] });
  return { workspace, receiver, endpoint: body };
}

/** The listed attempts, newest first. */
export async function listEndpointAttempts({ workspace, endpoint }: FailingEndpoint): Promise<AnyJson[]> {
  return (await workspace.api.get(`/webhook-endpoints/${endpoint.id}/deliveries`)).body.data;
}

export const patchEndpoint = ({ workspace, endpoint }: FailingEndpoint, body: object) =>
  workspace.api.request('PATCH', `/webhook-endpoints/${endpoint.id}`, body);

/** The waiting and running jobs of the endpoint. */
export const pendingDeliveries = (majlis: TestService, { id }: AnyJson) =>
  majlis.sql(`select id from jobs where kind like 'webhook_endpoints.%' and group_id = $1`, [
    parseId('webhook_endpoint', id),
  ]);

export const untilDeliveriesDone = (majlis: TestService, endpoint: AnyJson) =>
  eventually(
    () => pendingDeliveries(majlis, endpoint),
    (jobs) => jobs.length === 0,
  );
