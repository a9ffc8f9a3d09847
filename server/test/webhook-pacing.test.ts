import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { receiveTexts } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver, type WebhookReceiver } from '@majlis/testing/webhook-receiver';

const env = { RATE_LIMITS: 'off', PAGE_SIZE_DEFAULT: '100' };

async function register({ api }: TestWorkspace, { url }: WebhookReceiver): Promise<string> {
  const { status, body, text } = await api.post('/webhook-endpoints', { url, events: ['*'] });
  assert.equal(status, 201, text);
  return body.id;
}

it('a host that comes back after hours is not flooded, whatever ports its endpoints have', async () => {
  const majlis = await startTestService({ env: { ...env, WEBHOOK_HOST_RATE: '20' } });
  const workspace = await majlis.workspace();
  const receivers = [await startWebhookReceiver(), await startWebhookReceiver()];
  for (const receiver of receivers) receiver.answer(500);
  const endpoints = await Promise.all(receivers.map((receiver) => register(workspace, receiver)));
  await receiveTexts(majlis, workspace, 40);
  for (const id of endpoints) {
    await eventually(
      async () => (await workspace.api.get(`/webhook-endpoints/${id}/deliveries`)).body.data,
      ({ length }) => length === 40,
    );
  }
  for (const receiver of receivers) {
    receiver.answer(200);
    receiver.arrivals.length = 0;
  }
  // The first call may arrive late, but none is made before this.
  const began = performance.now();
  await majlis.advance(7_200);
  const arrivals = () => receivers.flatMap((receiver) => receiver.arrivals);
  await eventually(arrivals, ({ length }) => length === 80);
  const took = Math.max(...arrivals().map(({ at }) => at)) - began;
  // Twenty a second, and two at once to begin with.
  assert.ok(took >= 3_800, `80 calls within ${took} ms`);
});

it('a test call whose turn is far off is refused, takes no turn, and is told of one moment', async () => {
  const majlis = await startTestService({ env: { ...env, WEBHOOK_HOST_RATE: '1' } });
  const workspace = await majlis.workspace();
  const receiver = await startWebhookReceiver();
  const id = await register(workspace, receiver);
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => workspace.api.post(`/webhook-endpoints/${id}/test`)),
  );
  const refused = replies.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0);
  for (const reply of refused) {
    assert.equal(assertRefused(reply, 429).code, 'rate_limited');
    const names = ['retry-after', 'ratelimit-reset', 'ratelimit-remaining', 'ratelimit-limit'];
    assert.deepEqual(
      names.map((name) => reply.headers.get(name)),
      ['2', '2', '0', '1'],
    );
  }
  assert.equal(receiver.arrivals.length, replies.length - refused.length);
});

it('test calls and deliveries of one process share the turns at a host', async () => {
  const majlis = await startTestService({ env: { ...env, WEBHOOK_HOST_RATE: '1' } });
  const workspace = await majlis.workspace();
  const receivers = [await startWebhookReceiver(), await startWebhookReceiver()];
  const [id] = await Promise.all(receivers.map((receiver) => register(workspace, receiver)));
  // Twenty deliveries keep the host taken for 20 s.
  await receiveTexts(majlis, workspace, 10);
  await eventually(
    () => receivers.flatMap(({ arrivals }) => arrivals).length,
    (count) => count > 0,
  );
  assertRefused(await workspace.api.post(`/webhook-endpoints/${id}/test`), 429);
});
