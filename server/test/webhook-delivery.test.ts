import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { countBytesRead } from '@majlis/testing/count-bytes-read';
import { drip } from '@majlis/testing/drip';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { receiveText, receiveTexts } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { createCertificate, startHttpsServer } from '@majlis/testing/test-servers';
import { startWebhookReceiver, type WebhookReceiver } from '@majlis/testing/webhook-receiver';
import Stripe from 'stripe';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { webhooks } = new Stripe('sk_test_unused');
const minute = 60;
const hour = 3_600;
const delays = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour];

async function register({ api }: TestWorkspace, receiver: WebhookReceiver, more: object = {}): Promise<AnyJson> {
  const { status, body, text } = await api.post('/webhook-endpoints', { url: receiver.url, events: ['*'], ...more });
  assert.equal(status, 201, text);
  return body;
}

const attemptsOf = async ({ api }: TestWorkspace, { id }: AnyJson): Promise<AnyJson[]> =>
  (await api.get(`/webhook-endpoints/${id}/deliveries`)).body.data;

const untilAttempts = (workspace: TestWorkspace, endpoint: AnyJson, count: number) =>
  eventually(
    () => attemptsOf(workspace, endpoint),
    (attempts) => attempts.length >= count,
  );

const nowS = async () => Date.parse((await majlis.operator('GET', '/clock')).body.now) / 1000;

describe('an event', () => {
  it('is delivered to a receiver that answers 100 Continue before its 200', async () => {
    const workspace = await majlis.workspace();
    const receiver = await startWebhookReceiver();
    receiver.answer((_, response) => {
      response.writeContinue();
      response.end();
    });
    const endpoint = await register(workspace, receiver);
    const { body } = await workspace.api.post(`/webhook-endpoints/${endpoint.id}/test`, {});
    assert.equal(body.response_status, 200, JSON.stringify(body));
  });

  it('is posted in the contract’s envelope, signed over its bytes, once', async () => {
    const workspace = await majlis.workspace();
    const receiver = await startWebhookReceiver();
    const endpoint = await register(workspace, receiver);
    const conversation = await receiveText(majlis, workspace, newDigits(), 'أهلا "quoted" \\ \u2028 😀');
    const [attempt] = await untilAttempts(workspace, endpoint, 1);
    const [{ body, event, headers, signature }] = receiver.arrivals as [WebhookReceiver['arrivals'][number]];
    assert.deepEqual(Object.keys(event), ['id', 'type', 'created_at', 'workspace_id', 'api_version', 'data']);
    assert.match(event.api_version, /^\d{4}-\d\d-\d\d$/);
    assert.equal(event.data.message.body, 'أهلا "quoted" \\ \u2028 😀');
    assert.deepEqual(event.data.conversation, { id: conversation });
    assert.equal(headers['content-type'], 'application/json');
    const [stored] = await majlis.sql('select payload from events where id = $1', [parseId('event', event.id)]);
    assert.equal(body.toString(), stored!.payload);
    const now = (await nowS()) * 1000;
    assert.deepEqual(webhooks.constructEvent(body, signature, endpoint.secret, 300, undefined, now), event);
    assert.throws(() => webhooks.constructEvent(body, signature, `${endpoint.secret}x`, 300, undefined, now));
    assert.deepEqual(
      [attempt!.event_id, attempt!.event_type, attempt!.attempt, attempt!.response_status],
      [event.id, 'message.received', 1, 200],
    );
    await majlis.advance(2 * 86_400);
    await receiveTexts(majlis, workspace, 1);
    await untilAttempts(workspace, endpoint, 2);
    assert.equal(receiver.arrivals.length, 2);
  });

  it('is attempted eight times on the schedule, the same bytes each time under a fresh signature, never early', async () => {
    const workspace = await majlis.workspace();
    const receiver = await startWebhookReceiver();
    const times: number[] = [];
    receiver.answer(async ({ body, signature }, response) => {
      const now = await nowS();
      webhooks.constructEvent(body, signature, endpoint.secret, 300, undefined, now * 1000);
      times.push(now);
      response.writeHead(times.length % 2 ? 500 : 302, { location: receiver.url }).end();
    });
    const endpoint = await register(workspace, receiver);
    await receiveTexts(majlis, workspace, 1);
    for (const [n, delay] of delays.entries()) {
      await untilAttempts(workspace, endpoint, n + 1);
      await majlis.advance(delay - 5);
      // An attempt that is too early has time to come: `waited` tells.
      await new Promise((resolve) => setTimeout(resolve, 600));
      await majlis.advance(5);
    }
    const attempts = await untilAttempts(workspace, endpoint, 8);
    for (const [n, delay] of delays.entries()) {
      const waited = times[n + 1]! - times[n]!;
      assert.ok(waited >= delay && waited < 2 * delay, `attempt ${n + 2} came after ${waited} s`);
    }
    assert.deepEqual(
      attempts.map(({ attempt, response_status }) => [attempt, response_status]),
      [8, 7, 6, 5, 4, 3, 2, 1].map((n) => [n, n % 2 ? 500 : 302]),
    );
    assert.equal(new Set(receiver.arrivals.map(({ body }) => body.toString())).size, 1);
    await majlis.advance(86_400);
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.equal(receiver.arrivals.length, 8);
  });

  it('is delivered by any 2xx', async () => {
    const workspace = await majlis.workspace();
    const receiver = await startWebhookReceiver();
    receiver.answer(299);
    const endpoint = await register(workspace, receiver);
    await receiveTexts(majlis, workspace, 1);
    await untilAttempts(workspace, endpoint, 1);
    assert.deepEqual(await majlis.sql(`select id from jobs where kind = 'webhook_endpoints.deliver_event'`), []);
  });

  it('goes to the address that the endpoint has by then, and to what it subscribed to when the event happened', async () => {
    const workspace = await majlis.workspace();
    const [first, second] = [await startWebhookReceiver(), await startWebhookReceiver()];
    first.answer(500);
    const endpoint = await register(workspace, first);
    await receiveTexts(majlis, workspace, 1);
    await untilAttempts(workspace, endpoint, 1);
    await workspace.api.request('PATCH', `/webhook-endpoints/${endpoint.id}`, {
      url: second.url,
      events: ['template.status_updated'],
    });
    await receiveTexts(majlis, workspace, 1);
    await majlis.advance(minute + 2);
    await eventually(
      () => second.arrivals.length,
      (count) => count === 1,
    );
    assert.equal(second.arrivals[0]!.event.id, first.arrivals[0]!.event.id);
    assert.equal((await untilAttempts(workspace, endpoint, 2)).length, 2);
  });

  it('reaches no endpoint of another workspace, which the database would refuse', async () => {
    const [one, other] = [await majlis.workspace(), await majlis.workspace()];
    const [mine, canary] = [await startWebhookReceiver(), await startWebhookReceiver()];
    await register(one, mine);
    const foreign = await register(other, canary);
    await receiveTexts(majlis, one, 5);
    await eventually(
      () => mine.arrivals.length,
      (count) => count === 5,
    );
    assert.equal(canary.arrivals.length, 0);
    const values = [parseId('workspace', one.id), parseId('webhook_endpoint', foreign.id)];
    const insert = `insert into webhook_attempts (workspace_id, event_id, endpoint_id, attempt, event_type, term)
      values ($1, gen_random_uuid(), $2, 1, 'x', 1)`;
    await assert.rejects(majlis.sql(insert, values), /foreign key/);
  });
});

describe('a receiver in trouble', () => {
  // The least and the most that an attempt may take: the limit of 10 s ends it, or is not waited for.
  const bad: [name: string, play: (response: ServerResponse) => unknown, within_ms: [number, number]][] = [
    ['answers 200 after a minute', (response) => setTimeout(() => response.end(), 60_000).unref(), [9_900, 40_000]],
    ['drips', dripBody, [9_900, 40_000]],
    ['resets the connection', (response) => response.socket!.resetAndDestroy(), [0, 9_900]],
    ['ends the connection without an answer', (response) => response.socket!.end(), [0, 9_900]],
  ];
  it(`that ${bad.map(([name]) => name).join(', or ')} has a failed attempt without a status, and a second one`, async () => {
    const troubled = await Promise.all(
      bad.map(async ([name, play, within_ms]) => {
        const workspace = await majlis.workspace();
        const receiver = await startWebhookReceiver();
        receiver.answer((_, response) => play(response));
        const endpoint = await register(workspace, receiver);
        await receiveTexts(majlis, workspace, 1);
        return { name, workspace, receiver, endpoint, within_ms };
      }),
    );
    for (const { name, workspace, receiver, endpoint, within_ms } of troubled) {
      const [attempt] = await untilAttempts(workspace, endpoint, 1);
      assert.equal(attempt!.response_status, undefined, name);
      const [least, most] = within_ms;
      assert.ok(attempt!.duration_ms >= least && attempt!.duration_ms <= most, `${name}: ${attempt!.duration_ms} ms`);
      receiver.answer(200);
    }
    await majlis.advance(minute + 2);
    for (const { name, workspace, endpoint } of troubled) {
      assert.equal((await untilAttempts(workspace, endpoint, 2))[0]!.response_status, 200, name);
    }
  });

  it('has a failed attempt without delivered_at, whose reason the operator reads and the log names', async () => {
    const workspace = await majlis.workspace();
    const [refusing, silent] = [await startWebhookReceiver(), await startWebhookReceiver()];
    const failing = [
      { endpoint: await register(workspace, refusing), reason: undefined, status: 503, logged: 'answered 503' },
      {
        endpoint: await register(workspace, silent),
        reason: 'no connection',
        status: undefined,
        logged: 'no connection',
      },
    ];
    refusing.answer(503);
    await silent.close();
    await receiveTexts(majlis, workspace, 1);
    for (const { endpoint, reason, status, logged } of failing) {
      const [attempt] = await untilAttempts(workspace, endpoint, 1);
      assert.deepEqual(
        [attempt!.response_status, attempt!.delivered_at, attempt!.reason],
        [status, undefined, undefined],
      );
      const path = `/webhook-endpoints/${endpoint.id}/deliveries`;
      const { status: code, body } = await majlis.operator('GET', path);
      assert.deepEqual([code, body.data.length, body.has_more, body.data[0].reason], [200, 1, false, reason]);
      assert.equal(body.data[0].id, attempt!.id);
      const after = await majlis.operator('GET', `${path}?after=${attempt!.id}`);
      assert.deepEqual([after.status, after.body.data], [200, []]);
      assert.equal((await majlis.operator('GET', `${path}?after=${endpoint.id}`)).status, 422);
      const lines = majlis.log.map((line) => JSON.parse(line)).filter(({ endpoint_id }) => endpoint_id === endpoint.id);
      assert.deepEqual(
        lines.map(({ msg, reason }) => [msg, reason]),
        [['a webhook endpoint began to fail', logged]],
      );
    }
  });

  it('whose certificate signs itself is sent nothing, and has a failed attempt without a status', async () => {
    const workspace = await majlis.workspace();
    let heard = 0;
    const secure = await startHttpsServer(createCertificate('localhost'), (_request, response) => {
      heard++;
      response.end();
    });
    const url = `https://localhost:${secure.port}/`;
    const { status, body: endpoint } = await workspace.api.post('/webhook-endpoints', { url, events: ['*'] });
    assert.equal(status, 201);
    await receiveTexts(majlis, workspace, 1);
    const [attempt] = await untilAttempts(workspace, endpoint, 1);
    assert.deepEqual([attempt!.response_status, heard], [undefined, 0]);
  });

  it('that sends an endless or a compressed body is heard by its status alone, and nothing is inflated', async () => {
    const workspace = await majlis.workspace();
    const [endless, bomb] = [await startWebhookReceiver(), await startWebhookReceiver()];
    endless.answer((_, response) => pour(response));
    const zipped = gzipSync(Buffer.alloc(200 * 1_048_576));
    bomb.answer((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped));
    const endpoints = [await register(workspace, endless), await register(workspace, bomb)];
    const bytesRead = countBytesRead(...[endless, bomb].map(({ url }) => Number(new URL(url).port)));
    await receiveTexts(majlis, workspace, 20);
    for (const endpoint of endpoints) {
      const attempts = await untilAttempts(workspace, endpoint, 20);
      assert.ok(attempts.every(({ response_status }) => response_status === 200));
    }
    // 16 KiB of each answer count, and they come in pieces of up to 64 KiB.
    const read = bytesRead();
    assert.ok(read > 0 && read < 40 * 4 * 65_536, `${read} bytes of 40 answers`);
  });

  it('holds up no other endpoint of its workspace', async () => {
    const workspace = await majlis.workspace();
    const [hanging, healthy] = [await startWebhookReceiver(), await startWebhookReceiver()];
    hanging.answer(() => {});
    await register(workspace, hanging);
    await register(workspace, healthy);
    // More than the endpoint that hangs has places.
    const from = performance.now();
    await receiveTexts(majlis, workspace, 20);
    await receiveTexts(majlis, workspace, 20);
    await eventually(
      () => healthy.arrivals.length,
      (count) => count === 40,
    );
    // A call is given up after 10 s, and another one has its place.
    const rounds = Math.ceil((performance.now() - from) / 10_000);
    assert.ok(hanging.arrivals.length <= 16 * rounds, `${hanging.arrivals.length} calls to the one that hangs`);
    await hanging.close();
  });

  it('holds up no other workspace, even with all the places that its own may have', async () => {
    const [crowded, other] = [await majlis.workspace(), await majlis.workspace()];
    const hanging = await Promise.all(Array.from({ length: 20 }, startWebhookReceiver));
    const healthy = await Promise.all(Array.from({ length: 3 }, startWebhookReceiver));
    for (const receiver of hanging) receiver.answer(() => {});
    const ids = await Promise.all(hanging.map(async (receiver) => (await register(crowded, receiver)).id));
    for (const receiver of healthy) await register(other, receiver);
    await receiveTexts(majlis, crowded, 20);
    const held = () => hanging.reduce((sum, { arrivals }) => sum + arrivals.length, 0);
    // A quarter of the places that it leaves free.
    await eventually(held, (count) => count === 102);
    await receiveTexts(majlis, other, 20);
    await eventually(
      () => healthy.map(({ arrivals }) => arrivals.length),
      (counts) => counts.every((count) => count === 20),
    );
    // Of those that hang none was given up meanwhile: not one place had come back.
    const ended = await majlis.sql(
      'select id from webhook_attempts where endpoint_id = any ($1) and listed_at is not null',
      [ids.map((id) => parseId('webhook_endpoint', id))],
    );
    assert.deepEqual([held(), ended], [102, []]);
    await Promise.all(hanging.map((receiver) => receiver.close()));
  });
});

/** The head at once, then a byte now and then. */
function dripBody(response: ServerResponse): void {
  response.writeHead(200);
  const { stop } = drip(() => response.write('.'), 200);
  response.on('close', stop);
}

function pour(response: ServerResponse): void {
  const chunk = randomBytes(65_536);
  response.writeHead(200);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}
