import { extensionOperations, limits, operations } from '@majlis/contract';
import { parseId } from '../database/ids.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { deleteEndpoint } from './manage/delete-endpoint.ts';
import { findEndpoint, listAttempts, listEndpoints } from './manage/read-endpoints.ts';
import { registerEndpoint } from './manage/register-endpoint.ts';
import { resendEvent } from './manage/resend-event.ts';
import { createTestEndpoint } from './manage/test-endpoint.ts';
import { updateEndpoint } from './manage/update-endpoint.ts';
import { presentAttempt, presentEndpoint } from './present.ts';

const history_ms = limits.webhook.delivery_history_seconds * 1000;

export function webhookEndpointRoutes(serve: Serve, resources: Resources): void {
  const { pool, clock } = resources;
  const testEndpoint = createTestEndpoint(resources);

  serve.read(operations.listWebhookEndpoints, async ({ caller }) => ({
    data: (await listEndpoints(pool, caller.workspace_id)).map(presentEndpoint),
  }));

  serve.perform(operations.createWebhookEndpoint, async ({ caller, body }, transact) => ({
    status: 201,
    body: await registerEndpoint(resources, transact, caller.workspace_id, body),
  }));

  serve.perform(operations.updateWebhookEndpoint, async ({ caller, params, body }, transact) => ({
    status: 200,
    body: await updateEndpoint(resources, transact, { workspace_id: caller.workspace_id, id: idOf(params) }, body),
  }));

  serve.write(operations.deleteWebhookEndpoint, async (tx, { caller, params }) => {
    await deleteEndpoint(tx, clock, caller.workspace_id, idOf(params));
    return { status: 204, body: undefined };
  });

  serve.perform(operations.testWebhookEndpoint, async ({ caller, params }) => ({
    status: 200,
    body: await testEndpoint(caller.workspace_id, idOf(params)),
  }));

  serve.perform(extensionOperations.resendEvent, async ({ caller: { workspace_id }, params, body }) => ({
    status: 202,
    body: { deliveries: await resendEvent(resources, { workspace_id, ...params, endpoint_id: body.endpoint_id }) },
  }));

  serve.read(operations.listWebhookDeliveries, async ({ caller: { workspace_id }, params, query }) => {
    const endpoint = await findEndpoint(pool, workspace_id, idOf(params));
    if (!endpoint) throw new Refusal('not_found');
    const since = new Date(clock.nowMs() - history_ms);
    const scope = `${operations.listWebhookDeliveries.id} ${endpoint.id}`;
    return readPage(
      resources,
      { workspace_id, scope, cursor: query.cursor },
      {
        fetch(position, count) {
          const after = position && { listed_at: position[0]!, id: position[1]! };
          return listAttempts(pool, workspace_id, endpoint.id, { since, after, count });
        },
        positionOf: (row) => [row.listed_at.toISOString(), row.id],
        present: (row) => presentAttempt(row),
      },
    );
  });
}

function idOf({ endpoint_id }: { endpoint_id: string }): string {
  const id = parseId('webhook_endpoint', endpoint_id);
  if (!id) throw new Refusal('not_found');
  return id;
}
