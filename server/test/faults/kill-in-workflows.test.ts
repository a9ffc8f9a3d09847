import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi } from '@majlis/testing/api';
import { createFaultEnvironment, type FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import { untilSettled } from '@majlis/testing/faults/until-settled';
import type { AnyJson } from '@majlis/testing/json';
import { listen } from '@majlis/testing/listen';
import { callOperator } from '@majlis/testing/operator';
import { untilNone } from '@majlis/testing/until-none';

const kills = Number(process.env.WORKFLOW_KILLS ?? 15);
const runs = 100;
const seconds = Math.ceil(kills / 5);
const numbers = Array.from({ length: runs }, (_, n) => `9687${5_000_000 + n}`);

it('100 workflows go on after kill -9 at any moment: each step once, in order, and every run ends', async (t) => {
  const environment = await createFaultEnvironment();
  const { random, simulator, sql } = environment;
  t.diagnostic(`seed ${random.seed}`);
  const called = await startCallReceiver();
  const env = { WEBHOOK_ALLOW_PRIVATE: '1' };
  const { majlis, key, phone_number_id } = await startFaultService(environment, env);
  const workflow = await apply(majlis.url, called.url);
  const write = (from: string, content: string) => simulator.inject({ phone_number_id, from, type: 'text', content });
  for (const from of numbers) write(from, 'Hello');
  await untilNone(async () => {
    const text = `select from messages where direction = 'inbound' and recipient is null and body = 'Hello'`;
    return Math.max(0, runs - (await sql(text)).length);
  });
  const api = createApi(majlis.url, key);
  for (const identifier of numbers) {
    const body = { contact: { channel_type: 'chatapp', identifier: `+${identifier}` }, variables: { identifier } };
    const reply = await api.post(`/workflows/${workflow}/runs`, body, { 'idempotency-key': identifier });
    assert.equal(reply.status, 202, reply.text);
  }

  for (let n = 0; n < kills; n++) {
    await pause(random.next() * 500);
    await majlis.kill();
    majlis.launch();
    if (random.next() < 0.8) await majlis.ready();
    if (n === Math.floor(kills / 2)) for (const from of numbers) write(from, `I am ${from}`);
  }
  await majlis.ready();
  await untilNone(async () => {
    for (const from of await unanswered(environment)) write(from, `I am ${from}`);
    await pause(500);
    return (await sql(`select from workflow_runs where status = 'running'`)).length;
  });
  await untilSettled(environment, majlis.url);

  const ended = await sql(`select status, reason, count(*)::int from workflow_runs group by 1, 2`);
  assert.deepEqual(ended, [{ status: 'completed', reason: null, count: runs }]);
  const stored = await sql<{ recipient: string; bodies: string[] }>(
    `select recipient, array_agg(body order by id) as bodies from messages where actor_kind = 'workflow' group by 1`,
  );
  assert.equal(stored.length, runs);
  for (const { recipient, bodies } of stored) {
    const number = recipient.replace('+', '');
    assert.deepEqual(bodies, ['1', '2', '3', 'Who are you?', `4: I am ${number}`, '5'], recipient);
    const got = simulator.ledger().filter(({ to }) => to.replace('+', '') === number);
    const places = got.map(({ body }) => bodies.indexOf((body as AnyJson).text.body));
    assert.deepEqual(places, [...new Set(places)].sort(), `${recipient} got each at most once, and in order`);
  }
  assert.equal(new Set(called.bodies).size, called.bodies.length, 'nothing was called twice');
  const [lost] = await sql(`select count(*)::int from messages where actor_kind = 'workflow' and status = 'failed'`);
  const [cut] = await sql(`select count(*)::int from workflow_run_steps where kind = 'call' and outcome = 'failed'`);
  assert.ok(called.bodies.length >= runs - cut!.count, 'who was not called has a reason');
  t.diagnostic(JSON.stringify({ kills, calls: called.bodies.length, cut: cut!.count, unknown: lost!.count }));
});

async function apply(url: string, receiver: string): Promise<string> {
  const steps = [
    { do: 'send_message', text: '1' },
    ...[
      { do: 'set_tag', tag: 'begun' },
      { do: 'wait', for: `${seconds}s` },
    ],
    ...[
      { do: 'send_message', text: '2' },
      { do: 'send_message', text: '3' },
    ],
    { do: 'call', url: receiver, body: '{{trigger.variables.identifier}}', on_error: 'continue' },
    { do: 'ask', name: 'who', text: 'Who are you?', within: '6h' },
    { do: 'send_message', text: '4: {{steps.who.answer}}' },
    ...[
      { do: 'wait', for: `${seconds}s` },
      { do: 'clear_tag', tag: 'begun' },
      { do: 'send_message', text: '5' },
    ],
  ];
  const workflows = [{ name: 'Long', status: 'published', trigger: 'api_call', steps }];
  const applied = await callOperator(url, 'PUT', '/workspaces', { workspace: { name: 'Acme 1' }, workflows });
  return applied.workflows[0].id;
}

/** The numbers of those who were asked and have not answered since. Ids tell the order: the clock may be set back by a little. */
async function unanswered({ sql }: FaultEnvironment): Promise<string[]> {
  const rows = await sql<{ number: string }>(
    `select substr(a.recipient, 2) as number from workflow_runs r
     join messages a on a.workspace_id = r.workspace_id and a.id = r.asked_message_id
     where r.status = 'running' and not exists (select from messages m
       where m.conversation_id = r.conversation_id and m.direction = 'inbound' and m.id > a.id)`,
  );
  return rows.map(({ number }) => number);
}

async function startCallReceiver(): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await Array.fromAsync(request)).toString());
    await pause(50);
    response.end('{}');
  });
  return { url: `${await listen(server)}/calls`, bodies };
}
