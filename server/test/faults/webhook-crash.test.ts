import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '@majlis/testing/api';
import { databaseUrl } from '@majlis/testing/database-url';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment, type FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import type { RestartableService } from '@majlis/testing/faults/restartable-service';
import { startTemporaryPostgres } from '@majlis/testing/faults/temporary-postgres';
import { receiveTexts } from '@majlis/testing/notifications';
import { callOperator } from '@majlis/testing/operator';
import { untilNone } from '@majlis/testing/until-none';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';

const rounds = Number(process.env.FAULT_ROUNDS ?? 5);
/** Each goes to every endpoint. FAULT_EVENTS=2500 makes 10,000 deliveries. */
const perRound = Math.ceil(Number(process.env.FAULT_EVENTS ?? 200) / rounds);
const endpoints = 4;

it('whenever the process dies, each event reaches each endpoint, and each attempt is recorded', async (t) => {
  await deliverThrough(t, await createFaultEnvironment(), async (majlis) => {
    await majlis.kill();
    await majlis.start();
  });
});

it('whenever the database is restarted, each event reaches each endpoint, and each attempt is recorded', async (t) => {
  const postgres = await startTemporaryPostgres();
  const { connection } = postgres;
  const environment = await createFaultEnvironment({ database: { url: databaseUrl(connection), connection } });
  await deliverThrough(t, environment, async (majlis) => {
    await postgres.stop();
    await pause(environment.random.between(0, 500));
    await postgres.start();
    await majlis.ready();
  });
});

async function deliverThrough(
  t: TestContext,
  environment: FaultEnvironment,
  disturb: (majlis: RestartableService) => Promise<void>,
): Promise<void> {
  const { random } = environment;
  t.diagnostic(`seed ${random.seed}`);
  const majlis = await environment.majlis({ WEBHOOK_ALLOW_PRIVATE: '1' });
  await majlis.start();
  const origin = { phone_number_id: '4400009', waba_id: '3300009', app_secret: 'app-secret' };
  const applied = await callOperator(majlis.url, 'PUT', '/workspaces', {
    workspace: { name: 'Acme', country: 'OM' },
    channels: [{ type: 'chatapp', name: 'Support', access_token: 'token', verify_token: 'verify', ...origin }],
    api_keys: [{ name: 'backend', environment: 'test', scopes: [] }],
  });
  const operator = async (method: string, path: string, body?: unknown) => ({
    status: 200,
    body: await callOperator(majlis.url, method, path, body),
  });
  const service = { url: majlis.url, sql: environment.sql, operator };
  const api = createApi(majlis.url, applied.api_keys[0].key);
  const receivers = await Promise.all(Array.from({ length: endpoints }, startWebhookReceiver));
  for (const receiver of receivers) {
    receiver.answer((_, response) => {
      const chance = random.next();
      if (chance < 0.1) response.socket!.resetAndDestroy();
      else if (chance < 0.3) response.writeHead(500).end();
      else setTimeout(() => response.end(), random.between(0, 30));
    });
    const answer = await api.post('/webhook-endpoints', { url: receiver.url, events: ['message.received'] });
    assert.equal(answer.status, 201);
  }

  for (let round = 0; round < rounds; round++) {
    await receiveTexts(service, origin, perRound);
    await pause(random.between(0, 120));
    await disturb(majlis);
    // H46: whatever broke off, an attempt that waits has its job, or nothing would ever make it.
    assert.deepEqual(await environment.sql(forgotten), []);
  }
  const due = (until: string) =>
    environment.sql<{ count: number }>(
      `select count(*)::int from jobs where kind = 'webhook_endpoints.deliver_event' and run_at <= $1`,
      [until],
    );
  const waiting = () => due('infinity');
  // The delays of all attempts together are 45 hours; an attempt that was interrupted is followed by one more.
  for (let moves = 0; (await waiting())[0]!.count > 0 && moves < 50; moves++) {
    await callOperator(majlis.url, 'POST', '/clock', { advance_seconds: 21_700 });
    const { now } = await callOperator(majlis.url, 'GET', '/clock');
    await untilNone(async () => (await due(now))[0]!.count);
  }

  const events = await environment.sql<{ id: string }>(
    `select payload::json ->> 'id' as id from events where type = 'message.received'`,
  );
  assert.equal(events.length, rounds * perRound);
  let arrivals = 0;
  for (const { arrivals: own } of receivers) {
    arrivals += own.length;
    const seen = new Set(own.map(({ event }) => event.id));
    assert.ok(events.every(({ id }) => seen.has(id)));
  }
  const [sums] = await environment.sql(`
    select count(*)::int as attempts, count(*) filter (where response_status = 200)::int as delivered,
      count(*) filter (where reason = 'the attempt was interrupted')::int as interrupted,
      count(*) filter (where tries = 8 and reason is distinct from 'the attempt was interrupted'
        and response_status is distinct from 200)::int as given_up,
      count(*) filter (where listed_at is null)::int as open
    from webhook_attempts`);
  t.diagnostic(JSON.stringify({ rounds, events: events.length, arrivals, ...sums }));
  // Each event has one end for each endpoint: more would be two schedules for one delivery.
  assert.equal(sums!.delivered + sums!.given_up, events.length * endpoints);
  assert.equal(sums!.open, 0);
  assert.ok(sums!.attempts >= arrivals, 'a request that arrived has no record');
  await eventually(waiting, ([row]) => row!.count === 0);
}

const forgotten = `
  select event_id, endpoint_id, attempt from webhook_attempts a where a.listed_at is null and not exists (
    select from jobs j where j.kind = 'webhook_endpoints.deliver_event' and j.group_id = a.endpoint_id
      and j.payload::jsonb = jsonb_build_object('workspace_id', a.workspace_id, 'event_id', a.event_id,
        'endpoint_id', a.endpoint_id, 'attempt', a.attempt))`;
