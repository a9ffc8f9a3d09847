import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { receiveTexts } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver, type WebhookRequest } from '@majlis/testing/webhook-receiver';
import Stripe from 'stripe';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { webhooks } = new Stripe('sk_test_unused');

async function open() {
  const workspace = await majlis.workspace();
  const receiver = await startWebhookReceiver();
  const { body } = await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] });
  const endpoint: AnyJson = body;
  const next = async (): Promise<WebhookRequest> => {
    const before = receiver.arrivals.length;
    await receiveTexts(majlis, workspace as TestWorkspace, 1);
    return (
      await eventually(
        () => receiver.arrivals,
        ({ length }) => length > before,
      )
    )[before]!;
  };
  const rotate = (overlap_seconds?: number) =>
    majlis.operator('POST', `/webhook-endpoints/${endpoint.id}/rotate-secret`, { overlap_seconds });
  return { workspace, endpoint, next, rotate };
}

/** Which of the secrets verify the request. */
async function verifying({ body, signature }: WebhookRequest, secrets: Record<string, string>, service = majlis) {
  const now = Date.parse((await service.operator('GET', '/clock')).body.now);
  return Object.keys(secrets).filter((name) => {
    try {
      return webhooks.constructEvent(body, signature, secrets[name]!, 300, undefined, now);
    } catch {
      return false;
    }
  });
}

it('events are signed with the new and the old secret during the overlap, and with the new one after it', async () => {
  const { workspace, endpoint, next, rotate } = await open();
  assert.match((await next()).signature, /^t=\d+,v1=[0-9a-f]{64}$/);
  const { status, body } = await rotate(3_600);
  assert.equal(status, 200);
  assert.equal(body.id, endpoint.id);
  assert.match(body.secret, /^whsec_/);
  const secrets = { old: endpoint.secret, fresh: body.secret };
  const during = await next();
  assert.match(during.signature, /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  assert.deepEqual(await verifying(during, secrets), ['old', 'fresh']);
  // A parser that keeps the last of equal names still has the old secret.
  const last = during.signature.replace(/,v1=[0-9a-f]+(?=,v1)/, '');
  assert.deepEqual(await verifying({ ...during, signature: last }, secrets), ['old']);
  const test = await workspace.api.post(`/webhook-endpoints/${endpoint.id}/test`);
  assert.equal(test.status, 200);
  await majlis.advance(3_600);
  const after = await next();
  assert.match(after.signature, /^t=\d+,v1=[0-9a-f]{64}$/);
  assert.deepEqual(await verifying(after, secrets), ['fresh']);
  const kept = () => majlis.sql('select id from webhook_endpoints where old_secret is not null');
  await eventually(kept, ({ length }) => length === 0);
});

it('a second rotation within the overlap is refused, except for one that ends it at once', async () => {
  const { endpoint, next, rotate } = await open();
  const first = (await rotate()).body;
  const refused = await rotate(60);
  assert.equal(refused.status, 422);
  assert.match(refused.body.detail, /valid until .*overlap_seconds 0/);
  assert.deepEqual(await verifying(await next(), { old: endpoint.secret, first: first.secret }), ['old', 'first']);
  const leaked = (await rotate(0)).body;
  assert.equal(leaked.old_secret_until, undefined);
  const secrets = { old: endpoint.secret, first: first.secret, last: leaked.secret };
  assert.deepEqual(await verifying(await next(), secrets), ['last']);
  await rotate(60);
});

it('a rotation that names no endpoint, or an overlap that is none, changes nothing', async () => {
  const { endpoint, next, rotate } = await open();
  for (const overlap of [-1, 2_592_001, 1.5]) assert.equal((await rotate(overlap)).status, 422);
  for (const id of ['whe_x', endpoint.id.replace(/.$/, endpoint.id.endsWith('0') ? '1' : '0')]) {
    assert.equal((await majlis.operator('POST', `/webhook-endpoints/${id}/rotate-secret`, {})).status, 404);
  }
  assert.deepEqual(await verifying(await next(), { old: endpoint.secret }), ['old']);
});

it('what waits for its turn at the host is signed with the secret of that moment, and not made after a deletion', async () => {
  const slow = await startTestService({ env: { RATE_LIMITS: 'off', WEBHOOK_HOST_RATE: '1' } });
  const workspace = await slow.workspace();
  const receiver = await startWebhookReceiver();
  const { body: endpoint } = await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] });
  await receiveTexts(slow, workspace, 10);
  const arrived = async (count: number) => {
    const least = receiver.arrivals.length + count;
    await eventually(
      () => receiver.arrivals,
      ({ length }) => length >= least,
    );
  };
  // What waits from now on has waited for longer than a second at its turn.
  await arrived(3);
  const path = `/webhook-endpoints/${endpoint.id}`;
  const { body: rotated } = await slow.operator('POST', `${path}/rotate-secret`, { overlap_seconds: 0 });
  // The call that was under way may have the secret before.
  await arrived(2);
  const secrets = { old: endpoint.secret, fresh: rotated.secret };
  assert.deepEqual(await verifying(receiver.arrivals.at(-1)!, secrets, slow), ['fresh']);
  assert.equal((await workspace.api.request('DELETE', path)).status, 204);
  const left = receiver.arrivals.length;
  const waiting = 'select id from webhook_attempts where listed_at is null';
  await eventually(
    () => slow.sql(waiting),
    ({ length }) => length === 0,
  );
  assert.ok(receiver.arrivals.length <= left + 1, `${receiver.arrivals.length - left} calls after the deletion`);
  await slow.stop();
});
