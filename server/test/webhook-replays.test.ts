import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import {
  listEndpointAttempts,
  openFailingEndpoint,
  patchEndpoint,
  pendingDeliveries,
  untilDeliveriesDone,
} from '@majlis/testing/failing-endpoint';
import { receiveTexts } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { startWebhookReceiver, type WebhookReceiver } from '@majlis/testing/webhook-receiver';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const hour = 3_600;

const errorsOf = ({ log }: { log: string[] }) => log.filter((line) => JSON.parse(line).level >= 50);

describe('a replay', () => {
  it('of one event goes to each endpoint that it was meant for, or to the one that is named', async () => {
    const workspace = await majlis.workspace();
    const [one, other, late] = await Promise.all([1, 2, 3].map(startWebhookReceiver));
    const register = async (receiver: WebhookReceiver) =>
      (await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] })).body;
    const endpoints = [await register(one!), await register(other!)];
    await receiveTexts(majlis, workspace, 1);
    await eventually(
      () => one!.arrivals.length + other!.arrivals.length,
      (count) => count === 2,
    );
    const event_id = one!.arrivals[0]!.event.id;
    const { id: endpoint_id } = await register(late!);
    for (const endpoint of endpoints) await untilDeliveriesDone(majlis, endpoint);
    assert.deepEqual((await majlis.operator('POST', '/replays', { event_id })).body, { replayed: 2 });
    assert.deepEqual((await majlis.operator('POST', '/replays', { event_id, endpoint_id })).body, { replayed: 1 });
    await eventually(
      () => [one, other, late].map((receiver) => receiver!.arrivals.length),
      (counts) => counts.join() === '2,2,1',
    );
    assert.equal(late!.arrivals[0]!.body.toString(), one!.arrivals[0]!.body.toString());
  });

  it('of a stretch of time takes what was delivered, too, and nothing from outside it', async () => {
    const workspace = await majlis.workspace();
    const receiver = await startWebhookReceiver();
    const { id: endpoint_id } = (await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] }))
      .body;
    const now = async () => (await majlis.operator('GET', '/clock')).body.now;
    await receiveTexts(majlis, workspace, 2);
    await majlis.advance(10);
    const from = await now();
    await receiveTexts(majlis, workspace, 3);
    await majlis.advance(10);
    const to = await now();
    await receiveTexts(majlis, workspace, 4);
    await eventually(
      () => receiver.arrivals.length,
      (count) => count === 9,
    );
    await untilDeliveriesDone(majlis, { id: endpoint_id });
    const replay = (more: object) => majlis.operator('POST', '/replays', { endpoint_id, ...more });
    assert.deepEqual((await replay({ from, to, undelivered: true })).body, { replayed: 0 });
    assert.deepEqual((await replay({ from, to })).body, { replayed: 3 });
    await untilDeliveriesDone(majlis, { id: endpoint_id });
    assert.equal(receiver.arrivals.length, 12);
  });

  it('that waits when the endpoint is disabled again is taken away, and its events stay listed as not attempted', async () => {
    const failing = await openFailingEndpoint(majlis);
    const { workspace, receiver, endpoint } = failing;
    const gate = Promise.withResolvers<void>();
    receiver.answer(async (_, response) => {
      await gate.promise;
      response.writeHead(500).end();
    });
    await patchEndpoint(failing, { enabled: false });
    await receiveTexts(majlis, workspace, 30);
    await patchEndpoint(failing, { enabled: true });
    assert.deepEqual((await majlis.operator('POST', '/replays', { endpoint_id: endpoint.id })).body, { replayed: 30 });
    // As many as one endpoint may have under way: the others wait.
    await eventually(
      () => receiver.arrivals.length,
      (count) => count === 16,
    );
    await patchEndpoint(failing, { enabled: false });
    await eventually(
      () => pendingDeliveries(majlis, endpoint),
      (jobs) => jobs.length === 16,
    );
    gate.resolve();
    await untilDeliveriesDone(majlis, endpoint);
    assert.deepEqual(errorsOf(majlis), []);
    const outcomes = await majlis.sql(
      `select attempt, response_status, count(*)::int from webhook_attempts where endpoint_id = $1
       group by attempt, response_status order by attempt`,
      [parseId('webhook_endpoint', endpoint.id)],
    );
    assert.deepEqual(outcomes, [
      { attempt: 0, response_status: null, count: 30 },
      { attempt: 1, response_status: 500, count: 16 },
    ]);
  });

  it('comes before the next attempt of the schedule, and takes its place', async () => {
    const failing = await openFailingEndpoint(majlis);
    const { workspace, receiver, endpoint } = failing;
    await receiveTexts(majlis, workspace, 1);
    await eventually(
      () => listEndpointAttempts(failing),
      (attempts) => attempts.length === 1,
    );
    receiver.answer(200);
    assert.deepEqual((await majlis.operator('POST', '/replays', { endpoint_id: endpoint.id })).body, { replayed: 1 });
    await eventually(
      () => receiver.arrivals.length,
      (count) => count === 2,
    );
    await majlis.advance(25 * hour);
    await untilDeliveriesDone(majlis, failing.endpoint);
    assert.equal(receiver.arrivals.length, 2);
    assert.deepEqual(
      (await listEndpointAttempts(failing)).map(({ response_status }) => response_status),
      [200, 500],
    );
  });

  it('is refused where it names nothing, or too little', async () => {
    const workspace_id = (await majlis.workspace()).id;
    for (const body of [
      {},
      { from: '2026-11-20T10:00:00Z' },
      { endpoint_id: 'whe_x' },
      { event_id: workspace_id },
      { event_id: `evt_${'0'.repeat(26)}` },
      { workspace_id: `ws_${'0'.repeat(26)}` },
      { workspace_id, from: '2027-12-31T23:59:60Z' },
      { workspace_id, to: '9999-12-31T23:59:59-12:00' },
      { x: 1 },
    ]) {
      assert.equal((await majlis.operator('POST', '/replays', body)).status, 422, JSON.stringify(body));
    }
    const { errors } = (await majlis.operator('POST', '/replays', { workspace_id, x: 1 })).body;
    assert.deepEqual(errors, [{ detail: 'is not known', pointer: '/x' }]);
    assert.deepEqual((await majlis.operator('POST', '/replays', { workspace_id })).body, { replayed: 0 });
  });
});
