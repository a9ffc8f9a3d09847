import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@majlis/testing/eventually';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { receiveTexts } from '@majlis/testing/notifications';
import { callOperator } from '@majlis/testing/operator';
import { makeFolder, type Process, startProcess } from '@majlis/testing/start-process';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';

const rounds = Number(process.env.FAULT_ROUNDS ?? 4);
const perRound = 60;

it('whenever the service and majlis listen die, the receiver gets each event, and none again that it has confirmed', async (t) => {
  const environment = await createFaultEnvironment();
  const { random } = environment;
  t.diagnostic(`seed ${random.seed}`);
  const majlis = await environment.majlis({});
  await majlis.start();
  const origin = { phone_number_id: '4400010', waba_id: '3300010', app_secret: 'app-secret' };
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
  const receiver = await startWebhookReceiver();
  receiver.answer(async (_, response) => {
    await pause(random.between(0, 5));
    response.end();
  });
  const env = {
    ...{ MAJLIS_KEY: applied.api_keys[0].key, MAJLIS_URL: majlis.url },
    XDG_STATE_HOME: await makeFolder(),
  };
  const starts: Process[] = [];
  const listen = async (...more: string[]) => {
    starts.push(startProcess('bin/majlis.js', ['listen', '--forward-to', receiver.url, ...more], { env }));
    await eventually(starts.at(-1)!.stderr, (text) => text.includes('The secret of the signatures'));
  };
  await listen('--from', 'oldest');
  for (let round = 0; round < rounds; round++) {
    await receiveTexts(service, origin, perRound);
    await pause(random.between(0, 200));
    // The service dies under the listener, and the listener in the midst of what the service had for it.
    await majlis.kill();
    await majlis.start();
    await receiveTexts(service, origin, perRound);
    const { length } = receiver.arrivals;
    await eventually(
      () => receiver.arrivals.length,
      (count) =>
        count > length || new Set(receiver.arrivals.map(({ event }) => event.id)).size === 2 * perRound * (round + 1),
    );
    starts.at(-1)!.child.kill('SIGKILL');
    await starts.at(-1)!.ended();
    await listen();
  }
  const all = await environment.sql<{ id: string }>(
    `select payload::json ->> 'id' as id from events where type = 'message.received'`,
  );
  assert.equal(all.length, 2 * rounds * perRound);
  await eventually(
    () => new Set(receiver.arrivals.map(({ event }) => event.id)).size,
    (count) => count === all.length,
  );
  // The listener reports what is confirmed for good. That came once, in whichever process; a kill repeats one event at most.
  const confirmed = starts.flatMap((one) => [...one.stdout().matchAll(/(evt_\w+) {2}200/g)].map(([, id]) => id!));
  assert.equal(new Set(confirmed).size, confirmed.length);
  const repeated = receiver.arrivals.length - all.length;
  t.diagnostic(`${all.length} events, ${repeated} repeated without a confirmation`);
  assert.ok(repeated <= rounds, `${repeated} events came again`);
});
