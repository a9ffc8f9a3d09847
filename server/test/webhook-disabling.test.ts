import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseId } from '../src/database/ids.ts';
import { eventually } from './support/eventually.ts';
import { happen } from './support/happen.ts';
import type { Json } from './support/json.ts';
import { startMailServer } from './support/mail-server.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { startMajlis, type Workspace } from './support/start-majlis.ts';

const mail = await startMailServer();
const env = { RATE_LIMITS: 'off', SMTP_URL: mail.url, SMTP_FROM: 'Majlis <majlis@acme.example>' };
const majlis = await startMajlis({ env });
const hour = 3_600;

const users = [
  { name: 'Aisha', email: 'aisha@acme.example', role: 'admin' },
  { name: 'Muna', email: 'muna@acme.example', role: 'admin' },
  { name: 'Omar', email: 'omar@acme.example', role: 'agent' },
];

interface Failing {
  workspace: Workspace;
  receiver: Receiver;
  endpoint: Json;
}

async function openFailing(): Promise<Failing> {
  const workspace = await majlis.workspace({ users });
  const receiver = await startReceiver();
  receiver.answer(500);
  const { body } = await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] });
  return { workspace, receiver, endpoint: body };
}

const attemptsOf = async ({ workspace, endpoint }: Failing): Promise<Json[]> =>
  (await workspace.api.get(`/webhook-endpoints/${endpoint.id}/deliveries`)).body.data;
const isEnabled = async ({ workspace, endpoint }: Failing): Promise<boolean> =>
  (await workspace.api.get('/webhook-endpoints')).body.data.find(({ id }: Json) => id === endpoint.id).enabled;
const patch = ({ workspace, endpoint }: Failing, body: object) =>
  workspace.api.request('PATCH', `/webhook-endpoints/${endpoint.id}`, body);

/** Lets that much time pass with a failure every twelve hours. */
async function failFor(failing: Failing, hours: number): Promise<void> {
  const times = hours / 12;
  for (let n = 0; n <= times; n++) {
    const before = failing.receiver.arrivals.length;
    await happen(majlis, failing.workspace, 1);
    await eventually(
      () => failing.receiver.arrivals.length,
      (count) => count > before,
    );
    if (n < times) await majlis.advance(12 * hour);
  }
}

/** What waits for the endpoint or is under way. */
const waiting = ({ id }: Json) =>
  majlis.sql(`select id from jobs where kind like 'webhook_endpoints.%' and group_id = $1`, [parseId('whe', id)]);

const untilQuiet = (endpoint: Json) =>
  eventually(
    () => waiting(endpoint),
    (jobs) => jobs.length === 0,
  );

describe('an endpoint that fails', () => {
  it('is disabled after three days, once, and each admin is told by one e-mail', async () => {
    const failing = await openFailing();
    const { receiver, endpoint } = failing;
    await failFor(failing, 60);
    assert.equal(await isEnabled(failing), true);
    await majlis.advance(13 * hour);
    // Fifty at once, at the threshold.
    await happen(majlis, failing.workspace, 50);
    await eventually(
      () => isEnabled(failing),
      (enabled) => !enabled,
    );
    await eventually(
      () => mail.received.length,
      (count) => count >= 2,
    );
    await untilQuiet(failing.endpoint);
    assert.deepEqual(mail.received.flatMap(({ to }) => to).sort(), ['aisha@acme.example', 'muna@acme.example']);
    assert.ok(mail.received.every(({ source }) => source.includes(endpoint.id) && !source.includes(endpoint.secret)));

    const made = receiver.arrivals.length;
    const known = new Set((await attemptsOf(failing)).map(({ event_id }) => event_id));
    await happen(majlis, failing.workspace, 1);
    const attempts = await attemptsOf(failing);
    const [kept] = attempts;
    assert.ok(!known.has(kept!.event_id));
    assert.deepEqual([kept!.attempt, kept!.response_status, kept!.delivered_at], [0, undefined, undefined]);
    await majlis.advance(25 * hour);
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.equal(receiver.arrivals.length, made);
  });

  it('gets what is new when it is enabled again, and begins to count anew', async () => {
    const failing = await openFailing();
    const { workspace, receiver } = failing;
    await failFor(failing, 72);
    await eventually(
      () => isEnabled(failing),
      (enabled) => !enabled,
    );
    await happen(majlis, workspace, 3);
    await untilQuiet(failing.endpoint);
    assert.equal((await patch(failing, { enabled: true })).body.enabled, true);
    receiver.arrivals.length = 0;
    await happen(majlis, workspace, 1);
    await eventually(
      () => receiver.arrivals.length,
      (count) => count === 1,
    );
    await majlis.advance(62);
    await eventually(
      () => receiver.arrivals.length,
      (count) => count === 2,
    );
    assert.equal(new Set(receiver.arrivals.map(({ event }) => event.id)).size, 1);
    assert.equal(await isEnabled(failing), true);
  });

  it('loses nothing: what waited is listed, and replayed by hand in the bytes that it had', async () => {
    const failing = await openFailing();
    const { workspace, receiver, endpoint } = failing;
    await happen(majlis, workspace, 100);
    await eventually(
      () => receiver.arrivals.length,
      (count) => count >= 12,
    );
    await patch(failing, { enabled: false });
    await happen(majlis, workspace, 5);
    const replay = () => majlis.operator('POST', '/replays', { endpoint_id: endpoint.id });
    assert.equal((await replay()).status, 422);
    await untilQuiet(failing.endpoint);
    const ids = new Set<string>();
    for (let cursor = ''; ; ) {
      const { body } = await workspace.api.get(`/webhook-endpoints/${endpoint.id}/deliveries${cursor}`);
      for (const { event_id } of body.data) ids.add(event_id);
      if (!body.has_more) break;
      cursor = `?cursor=${body.next_cursor}`;
    }
    assert.equal(ids.size, 105);

    const first = new Map(receiver.arrivals.map(({ event, body }) => [event.id, body.toString()]));
    receiver.answer(200);
    receiver.arrivals.length = 0;
    await patch(failing, { enabled: true });
    assert.deepEqual((await replay()).body, { replayed: 105 });
    await eventually(
      () => receiver.arrivals.length,
      (count) => count >= 105,
    );
    assert.deepEqual(new Set(receiver.arrivals.map(({ event }) => event.id)), ids);
    for (const { event, body } of receiver.arrivals)
      assert.equal(body.toString(), first.get(event.id) ?? body.toString());
    await untilQuiet(failing.endpoint);
    assert.deepEqual((await replay()).body, { replayed: 0 });
  });

  it('is deleted while an attempt is under way: that one ends, and none follows', async () => {
    const failing = await openFailing();
    const { workspace, receiver, endpoint } = failing;
    receiver.answer((_, response) => setTimeout(() => response.writeHead(500).end(), 1_500));
    await happen(majlis, workspace, 1);
    await eventually(
      () => receiver.arrivals.length,
      (count) => count === 1,
    );
    assert.equal((await workspace.api.request('DELETE', `/webhook-endpoints/${endpoint.id}`)).status, 204);
    await eventually(
      () =>
        majlis.sql(
          `select response_status from webhook_attempts where response_status = 500 and listed_at is not null`,
        ),
      (rows) => rows.length > 0,
    );
    await majlis.advance(25 * hour);
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.equal(receiver.arrivals.length, 1);
  });
});

describe('a replay', () => {
  it('of one event goes to each endpoint that it was meant for, or to the one that is named', async () => {
    const workspace = await majlis.workspace();
    const [one, other, late] = await Promise.all([1, 2, 3].map(startReceiver));
    const register = async (receiver: Receiver) =>
      (await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] })).body;
    const endpoints = [await register(one!), await register(other!)];
    await happen(majlis, workspace, 1);
    await eventually(
      () => one!.arrivals.length + other!.arrivals.length,
      (count) => count === 2,
    );
    const event_id = one!.arrivals[0]!.event.id;
    const { id: endpoint_id } = await register(late!);
    for (const endpoint of endpoints) await untilQuiet(endpoint);
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
    const receiver = await startReceiver();
    const { id: endpoint_id } = (await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] }))
      .body;
    const now = async () => (await majlis.operator('GET', '/clock')).body.now;
    await happen(majlis, workspace, 2);
    await majlis.advance(10);
    const from = await now();
    await happen(majlis, workspace, 3);
    await majlis.advance(10);
    const to = await now();
    await happen(majlis, workspace, 4);
    await eventually(
      () => receiver.arrivals.length,
      (count) => count === 9,
    );
    await untilQuiet({ id: endpoint_id });
    const replay = (more: object) => majlis.operator('POST', '/replays', { endpoint_id, ...more });
    assert.deepEqual((await replay({ from, to, undelivered: true })).body, { replayed: 0 });
    assert.deepEqual((await replay({ from, to })).body, { replayed: 3 });
    await untilQuiet({ id: endpoint_id });
    assert.equal(receiver.arrivals.length, 12);
  });

  it('comes before the next attempt of the schedule, and takes its place', async () => {
    const failing = await openFailing();
    const { workspace, receiver, endpoint } = failing;
    await happen(majlis, workspace, 1);
    await eventually(
      () => attemptsOf(failing),
      (attempts) => attempts.length === 1,
    );
    receiver.answer(200);
    assert.deepEqual((await majlis.operator('POST', '/replays', { endpoint_id: endpoint.id })).body, { replayed: 1 });
    await eventually(
      () => receiver.arrivals.length,
      (count) => count === 2,
    );
    await majlis.advance(25 * hour);
    await untilQuiet(failing.endpoint);
    assert.equal(receiver.arrivals.length, 2);
    assert.deepEqual(
      (await attemptsOf(failing)).map(({ response_status }) => response_status),
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
      { x: 1 },
    ]) {
      assert.equal((await majlis.operator('POST', '/replays', body)).status, 422, JSON.stringify(body));
    }
    assert.deepEqual((await majlis.operator('POST', '/replays', { workspace_id })).body, { replayed: 0 });
  });
});
