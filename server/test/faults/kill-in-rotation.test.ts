import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { createFaultWorkspace } from '@majlis/testing/faults/fault-workspace';
import { callOperator } from '@majlis/testing/operator';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import Stripe from 'stripe';

const keys = { a: 'the first secret key of ours', b: 'the second secret key of ours' };
const { webhooks } = new Stripe('sk_test_unused');

it('a kill in the middle of a rotation loses nothing, and the next start goes on', async () => {
  const environment = await createFaultEnvironment();
  const first = await environment.majlis({ SECRET_KEY: keys.a, WEBHOOK_ALLOW_PRIVATE: '1' });
  await first.start();
  const workspace = await createFaultWorkspace(environment, first.url, { customers: 1 });
  const receiver = await startWebhookReceiver();
  const { body: endpoint } = await createApi(first.url, workspace.key).post('/webhook-endpoints', {
    url: receiver.url,
    events: ['*'],
  });
  // Disabled copies with the same secret, so that the rotation takes a while.
  await environment.sql(`
    insert into webhook_endpoints (workspace_id, id, url, events, enabled, secret, created_at)
    select workspace_id, gen_random_uuid(), url, events, false, secret, created_at
    from webhook_endpoints, generate_series(1, 4000)`);
  await first.kill();

  const both = await environment.majlis({ SECRET_KEY: keys.b, SECRET_KEY_OLD: keys.a, WEBHOOK_ALLOW_PRIVATE: '1' });
  const heads = () =>
    environment.sql<{ count: number }>(
      'select count(*)::int as count from webhook_endpoints group by substring(secret for 9)',
    );
  await both.start();
  await eventually(heads, (rows) => rows.length === 2);
  await both.kill();
  assert.equal((await heads()).length, 2, 'killed in the middle');

  await both.start();
  await eventually(
    async () => {
      await callOperator(both.url, 'POST', '/clock', { advance_seconds: 60 });
      return callOperator(both.url, 'GET', '/secrets');
    },
    (state) => state.old_key_in_use === false,
  );
  assert.equal((await heads()).length, 1);
  await both.kill();

  const last = await environment.majlis({ SECRET_KEY: keys.b, WEBHOOK_ALLOW_PRIVATE: '1' });
  await last.start();
  assert.deepEqual(await callOperator(last.url, 'GET', '/secrets'), { old_key_in_use: false, unopened: {} });
  const before = receiver.arrivals.length;
  const tested = await createApi(last.url, workspace.key).post(`/webhook-endpoints/${endpoint.id}/test`);
  assert.equal(tested.status, 200);
  const { body, signature } = receiver.arrivals[before]!;
  const now = Date.parse((await callOperator(last.url, 'GET', '/clock')).now);
  webhooks.constructEvent(body, signature, endpoint.secret, 300, undefined, now);
});
