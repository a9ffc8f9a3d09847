import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { assertReconciled } from '@majlis/testing/faults/assert-reconciled';
import { createFaultWorkspace } from '@majlis/testing/faults/fault-workspace';
import { createInterposedEnvironment } from '@majlis/testing/faults/interposed-platform';
import { attemptSend } from '@majlis/testing/faults/keep-sending';
import { untilSettled } from '@majlis/testing/faults/until-settled';

const hourMs = 3_600_000;
const env = { LOG_LEVEL: 'debug' };

it('processes whose own clocks are an hour off in both directions agree on windows, leases and timestamps', async () => {
  const environment = await createInterposedEnvironment();
  const { simulator, sql } = environment;
  const processes = await Promise.all([hourMs, -hourMs].map((ms) => environment.majlis({ ...env, ...skewedBy(ms) })));
  for (const { start } of processes) await start();
  const offsets = await Promise.all(
    processes.map(async ({ url, stdout }) => {
      await fetch(`${url}/readyz`);
      const line = await eventually(
        () => /"time":"([^"]+)"/.exec(stdout()),
        (match) => match !== null,
      );
      return Date.parse(line![1]!) - Date.now();
    }),
  );
  assert.deepEqual(
    offsets.map((ms) => Math.round(ms / hourMs)),
    [1, -1],
    'their clocks are wrong',
  );
  const { key, phone_number_id, inbound, customers } = await createFaultWorkspace(environment, processes[0]!.url, {
    customers: 4,
  });

  // A window of 24 hours that ends in half an hour, and one that has ended half an hour ago.
  for (const [from, hours] of [
    ['96891209001', 23.5],
    ['96891209002', 24.5],
  ] as const) {
    const at = Date.now() - hours * hourMs;
    inbound.push(simulator.inject({ phone_number_id, from, type: 'text', content: 'Hello', at }));
  }
  await eventually(
    () => sql(`select from messages where direction = 'inbound'`),
    (messages) => messages.length === inbound.length,
  );
  const held = Promise.withResolvers<void>();
  environment.platform.onAccepted = () => held.promise;
  const acknowledged = [];
  for (const { url } of processes) {
    for (const to of ['96891209001', ...customers]) {
      const one = { request: { to: `+${to}`, kind: 'text', body: randomUUID() }, idempotency_key: randomUUID() };
      const { status, id } = await attemptSend(url, key, one);
      assert.equal(status, '201');
      acknowledged.push({ id: id!, ...one });
    }
    const late = { request: { to: '+96891209002', kind: 'text', body: 'Hi' }, idempotency_key: randomUUID() };
    assert.equal((await attemptSend(url, key, late)).status, '409 window_closed');
  }
  const leases = await eventually(
    () => sql<{ minutes: number }>(leasesText),
    (rows) => rows.length === 5,
  );
  for (const { minutes } of leases) assert.ok(minutes > 0 && minutes < 5, `a lease of ${minutes} minutes`);
  held.resolve();

  const [row] = await sql<{ minutes: number }>(
    `select max(abs(extract(epoch from clock_timestamp() - created_at)))::float8 / 60 as minutes
     from (select created_at from messages where direction = 'outbound' union all select created_at from events) as made`,
  );
  assert.ok(row!.minutes < 30, `timestamps are ${row!.minutes} minutes off`);
  await untilSettled(environment, processes[1]!.url);
  await assertReconciled(environment, { acknowledged, written: inbound });
});

/** Of the messages under way, one for each conversation. */
const leasesText = `
  select extract(epoch from leased_until - clock_timestamp())::float8 / 60 as minutes
  from jobs where kind = 'messages.deliver_message' and started_at is not null`;

/** The settings of a process whose own clock is wrong by so much. */
function skewedBy(ms: number): Record<string, string> {
  const script = `{
    const right = Date;
    const now = () => right.now() + ${ms};
    globalThis.Date = new Proxy(right, {
      get: (target, name) => (name === 'now' ? now : target[name]),
      construct: (target, given) => (given.length > 0 ? new target(...given) : new target(now())),
    });
  }`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
}
