import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Majlis } from '@majlis/sdk';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { receiveTexts } from '@majlis/testing/notifications';
import { callOperator } from '@majlis/testing/operator';

const rounds = Number(process.env.FAULT_ROUNDS ?? 4);
const perRound = 60;

it('whenever the process dies, a client that follows the events gets each, in the order of the feed', async (t) => {
  const environment = await createFaultEnvironment();
  const { random } = environment;
  t.diagnostic(`seed ${random.seed}`);
  const majlis = await environment.majlis({});
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
  const client = new Majlis({ apiKey: applied.api_keys[0].key, baseUrl: majlis.url });

  const seen: string[] = [];
  const end = new AbortController();
  const follow = async () => {
    for await (const event of client.events.follow({ signal: end.signal })) seen.push(event.id);
  };
  const following = follow();
  // This one also dies, and goes on behind the position that it stored.
  const restarted: string[] = [];
  let stored: string | undefined;
  const followBriefly = async () => {
    const brief = new AbortController();
    const feed = client.events.follow({ after: stored, signal: brief.signal });
    const reading = (async () => {
      for await (const event of feed) {
        restarted.push(event.id);
        stored = feed.position;
      }
    })();
    await pause(random.between(100, 900));
    brief.abort();
    await reading;
  };
  for (let round = 0; round < rounds; round++) {
    await receiveTexts(service, origin, perRound);
    await followBriefly();
    await pause(random.between(0, 200));
    await majlis.kill();
    await majlis.start();
  }
  const all = await environment.sql<{ id: string }>(
    `select payload::json ->> 'id' as id from events where type like 'message.%'`,
  );
  assert.equal(all.length, rounds * perRound);
  await eventually(
    () => new Set(seen).size,
    (count) => count === all.length,
  );
  end.abort();
  await following;
  for await (const event of client.events.follow({ after: stored, untilNow: true })) restarted.push(event.id);
  assert.equal(new Set(restarted).size, all.length);
  const order: string[] = [];
  for await (const event of client.events.follow({ untilNow: true })) order.push(event.id);
  assert.equal(order.length, all.length);
  assert.deepEqual([...new Set(seen)], order);
});
