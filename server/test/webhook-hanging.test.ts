import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { receiveTexts } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver, type WebhookReceiver } from '@majlis/testing/webhook-receiver';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', WEBHOOK_HOST_RATE: '100000' } });

/** A receiver that never answers, and the calls that are open at it. */
async function startHangingReceiver() {
  const receiver = await startWebhookReceiver();
  const calls = { open: 0, most: 0, ended: 0 };
  receiver.answer((_, response) => {
    calls.most = Math.max(calls.most, ++calls.open);
    response.on('close', () => {
      calls.open--;
      calls.ended++;
    });
  });
  return { receiver, calls };
}

async function register({ api }: TestWorkspace, { url }: WebhookReceiver, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    assert.equal((await api.post('/webhook-endpoints', { url, events: ['message.received'] })).status, 201);
  }
}

for (const { workspaces, endpoints, most } of [
  { workspaces: 1, endpoints: 60, most: 128 },
  { workspaces: 4, endpoints: 20, most: 300 },
]) {
  it(`hanging endpoints of ${workspaces} workspaces leave places, and are not claimed again and again`, async () => {
    const { receiver, calls } = await startHangingReceiver();
    const hanging = await Promise.all(Array.from({ length: workspaces }, () => majlis.workspace()));
    for (const workspace of hanging) await register(workspace, receiver, endpoints);
    for (const workspace of hanging) await receiveTexts(majlis, workspace, 30);
    const healthy = await startWebhookReceiver();
    const other = await majlis.workspace();
    await register(other, healthy, 1);
    await receiveTexts(majlis, other, 3);
    await eventually(
      () => healthy.arrivals,
      ({ length }) => length === 3,
    );
    // By then all places that these endpoints may have were taken.
    await eventually(
      () => calls.ended,
      (ended) => ended > 0,
    );
    assert.ok(calls.most <= most, `${calls.most} calls were open at once`);
    const waiting = await majlis.sql<{ attempts: number }>(
      `select attempts from jobs where kind = 'webhook_endpoints.deliver_event' and started_at is null`,
    );
    const claims = waiting.reduce((sum, { attempts }) => sum + attempts, 0);
    assert.ok(claims <= waiting.length, `${waiting.length} waiting deliveries were claimed ${claims} times`);
    await receiver.close();
  });
}
