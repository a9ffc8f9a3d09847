import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import {
  type FailingEndpoint,
  listEndpointAttempts,
  openFailingEndpoint,
  patchEndpoint,
  untilDeliveriesDone,
} from '@majlis/testing/failing-endpoint';
import type { AnyJson } from '@majlis/testing/json';
import { smtpError, startMailServer } from '@majlis/testing/mail-server';
import { receiveTexts } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const mail = await startMailServer();
const env = { RATE_LIMITS: 'off', SMTP_URL: mail.url, SMTP_FROM: 'Majlis <majlis@acme.example>' };
const majlis = await startTestService({ env });
const hour = 3_600;

const users = [
  { name: 'Aisha', email: 'aisha@acme.example', role: 'admin' },
  { name: 'Muna', email: 'muna@acme.example', role: 'admin' },
  { name: 'Omar', email: 'omar@acme.example', role: 'agent' },
];

const isEnabled = async ({ workspace, endpoint }: FailingEndpoint): Promise<boolean> =>
  (await workspace.api.get('/webhook-endpoints')).body.data.find(({ id }: AnyJson) => id === endpoint.id).enabled;

/** Lets that much time pass with a failure every twelve hours. */
async function failFor(failing: FailingEndpoint, hours: number): Promise<void> {
  const times = hours / 12;
  for (let n = 0; n <= times; n++) {
    const before = failing.receiver.arrivals.length;
    await receiveTexts(majlis, failing.workspace, 1);
    await eventually(
      () => failing.receiver.arrivals.length,
      (count) => count > before,
    );
    if (n < times) await majlis.advance(12 * hour);
  }
}

const kinds = ['deliver_event', 'tidy_endpoint', 'email_admin'].map((kind) => `webhook_endpoints.${kind}`);
const unlisted = `
  select id from events e where type = 'message.received' and not exists (select from webhook_attempts a where a.event_id = e.id and a.listed_at is not null)`;

describe('an endpoint that fails', () => {
  it('is disabled after three days, once however many workers say so, and each admin is told by one e-mail', async () => {
    const failing = await openFailingEndpoint(majlis, { users });
    const { receiver, endpoint } = failing;
    await failFor(failing, 60);
    assert.equal(await isEnabled(failing), true);
    // Sixteen calls of each fresh worker, and one of the worker that knows the endpoint is in trouble.
    const others = [await majlis.another(), await majlis.another()];
    const gate = Promise.withResolvers<void>();
    let held = 0;
    receiver.answer(async (_, response) => {
      held++;
      await gate.promise;
      response.writeHead(500).end();
    });
    await majlis.advance(13 * hour);
    await receiveTexts(majlis, failing.workspace, 50);
    await eventually(
      () => held,
      (count) => count >= 33,
    );
    const lock = `select from webhook_endpoints where id = '${parseId('webhook_endpoint', endpoint.id)}' for no key update`;
    await whileHeld(majlis, lock, async () => {
      gate.resolve();
      // Of the workspace, one transaction of each worker waits for long: these are of all three.
      await untilWaiting(majlis, 3, 'join webhook_endpoints e');
    });
    await eventually(
      () => majlis.sql(`select id from jobs where kind = any ($1)`, [kinds]),
      ({ length }) => length === 0,
    );
    assert.equal(await isEnabled(failing), false);
    assert.deepEqual(mail.received.flatMap(({ to }) => to).sort(), ['aisha@acme.example', 'muna@acme.example']);
    assert.ok(mail.received.every(({ source }) => source.includes(endpoint.id) && !source.includes(endpoint.secret)));
    assert.deepEqual(await majlis.sql(unlisted), []);
    await Promise.all(others.map((other) => other.stop()));

    const made = receiver.arrivals.length;
    const known = new Set((await listEndpointAttempts(failing)).map(({ event_id }) => event_id));
    await receiveTexts(majlis, failing.workspace, 1);
    const attempts = await listEndpointAttempts(failing);
    const [kept] = attempts;
    assert.ok(!known.has(kept!.event_id));
    assert.deepEqual([kept!.attempt, kept!.response_status, kept!.delivered_at], [0, undefined, undefined]);
    await majlis.advance(25 * hour);
    await new Promise((resolve) => setTimeout(resolve, 600));
    assert.equal(receiver.arrivals.length, made);
  });

  it('is told to nobody who was removed, or is no admin any more, while the e-mail waited', async () => {
    const failing = await openFailingEndpoint(majlis, { users: [] });
    const join = (role: string) => joinWorkspace(majlis, failing.workspace, { role });
    const [owner, removed, agent] = [await join('owner'), await join('admin'), await join('admin')];
    const waiting = () =>
      majlis.sql<{ failures: number }>(`
      select failures from jobs where kind = 'webhook_endpoints.email_admin'`);
    mail.received.length = 0;
    mail.script.recipient = () => smtpError(451);
    await failFor(failing, 60);
    await majlis.advance(13 * hour);
    await receiveTexts(majlis, failing.workspace, 1);
    await eventually(waiting, (jobs) => jobs.length === 3 && jobs.every(({ failures }) => failures > 0));
    assert.equal((await owner.at('DELETE', `/members/${removed.user_id}`)).status, 204);
    assert.equal((await owner.at('PATCH', `/members/${agent.user_id}`, { role: 'agent' })).status, 200);
    mail.script = {};
    await eventually(
      async () => {
        await majlis.advance(400);
        return waiting();
      },
      (jobs) => jobs.length === 0,
    );
    assert.deepEqual(
      mail.received.flatMap(({ to }) => to),
      [owner.email],
    );
  });

  it('is not disabled for an attempt that broke off with its process: nobody knows whether it failed', async () => {
    const failing = await openFailingEndpoint(majlis, { users });
    await failFor(failing, 60);
    // What a process leaves behind that is killed during its call, an hour after the third day.
    const deliveries = `kind = 'webhook_endpoints.deliver_event' and group_id = $1`;
    const endpoint_id = parseId('webhook_endpoint', failing.endpoint.id);
    const now = Date.parse((await majlis.operator('GET', '/clock')).body.now);
    const [hourLater, started_at] = [hour, 13 * hour].map((seconds) => new Date(now + seconds * 1_000));
    // A delivery that no worker takes up meanwhile, because it is not due yet.
    const [left] = await eventually(
      () =>
        majlis.sql<{ id: string }>(
          `update jobs set started_at = $2
           where id = (select id from jobs where ${deliveries} and worker_id is null and run_at > $3 order by run_at limit 1)
           returning id`,
          [endpoint_id, started_at, hourLater],
        ),
      ({ length }) => length === 1,
    );
    await majlis.sql(`delete from jobs where ${deliveries} and id <> $2`, [endpoint_id, left!.id]);
    // Later attempts succeed: only the interrupted one could disable it.
    failing.receiver.answer(200);
    await majlis.advance(24 * hour);
    await eventually(
      () => majlis.sql(`select from webhook_attempts where endpoint_id = $1 and reason ~ 'interrupted'`, [endpoint_id]),
      ({ length }) => length === 1,
    );
    assert.equal(await isEnabled(failing), true);
  });

  it('gets what is new when it is enabled again, and begins to count anew', async () => {
    const failing = await openFailingEndpoint(majlis, { users });
    const { workspace, receiver } = failing;
    await failFor(failing, 60);
    await majlis.advance(13 * hour);
    await receiveTexts(majlis, workspace, 1);
    await eventually(
      () => isEnabled(failing),
      (enabled) => !enabled,
    );
    await receiveTexts(majlis, workspace, 3);
    await untilDeliveriesDone(majlis, failing.endpoint);
    assert.equal((await patchEndpoint(failing, { enabled: true })).body.enabled, true);
    receiver.arrivals.length = 0;
    await receiveTexts(majlis, workspace, 1);
    // Recorded, and not only heard: from then on its retry has a time.
    await eventually(
      () => listEndpointAttempts(failing),
      ([latest]) => latest!.event_id === receiver.arrivals[0]?.event.id,
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
    const failing = await openFailingEndpoint(majlis, { users });
    const { workspace, receiver, endpoint } = failing;
    await receiveTexts(majlis, workspace, 100);
    await eventually(
      () => receiver.arrivals.length,
      (count) => count >= 12,
    );
    await patchEndpoint(failing, { enabled: false });
    await receiveTexts(majlis, workspace, 5);
    const replay = () => majlis.operator('POST', '/replays', { endpoint_id: endpoint.id });
    assert.equal((await replay()).status, 422);
    await untilDeliveriesDone(majlis, failing.endpoint);
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
    await patchEndpoint(failing, { enabled: true });
    assert.deepEqual((await replay()).body, { replayed: 105 });
    await eventually(
      () => receiver.arrivals.length,
      (count) => count >= 105,
    );
    assert.deepEqual(new Set(receiver.arrivals.map(({ event }) => event.id)), ids);
    for (const { event, body } of receiver.arrivals)
      assert.equal(body.toString(), first.get(event.id) ?? body.toString());
    await untilDeliveriesDone(majlis, failing.endpoint);
    assert.deepEqual((await replay()).body, { replayed: 0 });
  });

  it('is deleted while an attempt is under way: that one ends, and none follows', async () => {
    const failing = await openFailingEndpoint(majlis, { users });
    const { workspace, receiver, endpoint } = failing;
    const underWay: ServerResponse[] = [];
    receiver.answer((_, response) => underWay.push(response));
    await receiveTexts(majlis, workspace, 1);
    await eventually(
      () => receiver.arrivals.length,
      (count) => count === 1,
    );
    assert.equal((await workspace.api.request('DELETE', `/webhook-endpoints/${endpoint.id}`)).status, 204);
    underWay[0]!.writeHead(500).end();
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
