import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { within } from '@majlis/testing/cleanup';
import { databaseUrl } from '@majlis/testing/database-url';
import { eventually } from '@majlis/testing/eventually';
import { assertReconciled } from '@majlis/testing/faults/assert-reconciled';
import type { FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { createFaultWorkspace } from '@majlis/testing/faults/fault-workspace';
import { startFaultyProxy } from '@majlis/testing/faults/faulty-proxy';
import { createInterposedEnvironment } from '@majlis/testing/faults/interposed-platform';
import { attemptSend, keepSending } from '@majlis/testing/faults/keep-sending';
import { startTemporaryPostgres } from '@majlis/testing/faults/temporary-postgres';
import { untilSettled } from '@majlis/testing/faults/until-settled';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';

const rounds = Number(process.env.FAULT_ROUNDS ?? 2);
const leaseSeconds = 6;
const env = {
  PLATFORM_TIMEOUT_SECONDS: '1',
  LEASE_SECONDS: String(leaseSeconds),
};

describe('a worker that sleeps beyond its lease, while another takes over its work, sends nothing a second time', {
  concurrency: true,
}, () => {
  it('at random moments under load', async (t) => {
    const { environment, api, sleeper, other, workspace } = await setUpTwoWorkers();
    t.diagnostic(`seed ${environment.random.seed}`);
    await other.start();
    const sending = keepSending({ url: api.url, workspace, random: environment.random });
    for (let round = 0; round < rounds; round++) {
      const goal = sending.acknowledged.length + environment.random.between(20, 60);
      await eventually(
        () => sending.acknowledged.length,
        (count) => count >= goal,
      );
      sleeper.signal('SIGSTOP');
      await pause((leaseSeconds + 2) * 1000);
      sleeper.signal('SIGCONT');
    }
    await sending.stop();
    await untilSettled(environment, api.url);
    const { acknowledged } = sending;
    t.diagnostic(JSON.stringify(await assertReconciled(environment, { acknowledged, written: workspace.inbound })));
    for (const worker of [sleeper, other]) assert.deepEqual([worker.isRunning(), worker.stderr()], [true, '']);
  });

  it('before its decision to send, which then comes too late', async () => {
    const { platform, environment, api, sleeper, other, workspace, network } = await setUpTwoWorkers();
    // Between its claim and its decision it falls asleep. When it wakes, the other one's call is under way.
    const called = new Promise<void>((resolve) => {
      network.holdBack('update jobs set started_at', async () => {
        sleeper.signal('SIGSTOP');
        platform.onAccepted = async () => {
          platform.onAccepted = undefined;
          resolve();
          sleeper.signal('SIGCONT');
          await pause(500);
        };
        await called;
      });
    });
    const one = newSend(workspace.customers[0]!);
    const { id } = await attemptSend(api.url, workspace.key, one);
    await other.start();
    await within(called, 60_000, 'the call of the other worker');
    await untilSettled(environment, api.url);
    const counts = await assertReconciled(environment, {
      acknowledged: [{ id: id!, ...one }],
      written: workspace.inbound,
    });
    assert.equal(counts.carried, 1);
  });

  it('between its decision to send and its call', async (t) => {
    const { environment, api, sleeper, other, workspace } = await setUpTwoWorkers();
    // Started by now: it has less time to take over than a start may take on a slow host.
    await other.start();
    for (const worker of [sleeper, other]) worker.signal('SIGSTOP');
    const one = newSend(workspace.customers[0]!);
    const { id } = await attemptSend(api.url, workspace.key, one);
    // It reads the message when it has decided, and waits there.
    await whileHeld(environment, 'lock table messages in access exclusive mode', async () => {
      sleeper.signal('SIGCONT');
      await untilWaiting(environment, 1, 'as dispatched_at');
      sleeper.signal('SIGSTOP');
    });
    // For all others, its lease has ended. It gives up what it asks for after 7 s, asleep or not: the lease itself would leave too
    // little of that on a busy machine.
    await environment.sql(
      `update jobs set leased_until = clock_timestamp() - interval '1 s' where kind = 'messages.deliver_message'`,
    );
    other.signal('SIGCONT');
    await untilTakenOver(environment);
    sleeper.signal('SIGCONT');
    // No job tells of the call that is now made.
    await eventually(
      () => environment.simulator.ledger().length,
      (calls) => calls === 1,
    );
    await untilSettled(environment, api.url);
    const accounts = { acknowledged: [{ id: id!, ...one }], written: workspace.inbound };
    t.diagnostic(JSON.stringify(await assertReconciled(environment, accounts)));
  });

  it('while the answer of the platform is under way', async () => {
    const { platform, environment, api, sleeper, other, workspace } = await setUpTwoWorkers();
    platform.onAccepted = () => {
      platform.onAccepted = undefined;
      sleeper.signal('SIGSTOP');
    };
    const one = newSend(workspace.customers[0]!);
    const { id } = await attemptSend(api.url, workspace.key, one);
    await other.start();
    await untilTakenOver(environment);
    sleeper.signal('SIGCONT');
    await untilSettled(environment, api.url);
    const counts = await assertReconciled(environment, {
      acknowledged: [{ id: id!, ...one }],
      written: workspace.inbound,
    });
    assert.equal(counts.carried, 1);
  });
});

/** The worker that will sleep runs; the other one is still to be started. */
async function setUpTwoWorkers() {
  const postgres = await startTemporaryPostgres();
  const { connection } = postgres;
  const network = await startFaultyProxy(postgres.socket);
  const environment = await createInterposedEnvironment({
    database: { url: databaseUrl(connection), connection },
  });
  const throughNetwork = { DATABASE_URL: databaseUrl({ ...connection, host: '127.0.0.1', port: network.port }) };
  const api = await environment.majlis({ ...env, ROLES: 'api' });
  const sleeper = await environment.majlis({ ...env, ROLES: 'worker', ...throughNetwork });
  const other = await environment.majlis({ ...env, ROLES: 'worker' });
  await api.start();
  await sleeper.start();
  const workspace = await createFaultWorkspace(environment, api.url);
  return { platform: environment.platform, network, environment, api, sleeper, other, workspace };
}

/** Until the other worker found the job begun, and closed it without a call. */
async function untilTakenOver({ sql }: FaultEnvironment): Promise<void> {
  await eventually(
    () => sql(`select from jobs where kind = 'messages.deliver_message'`),
    (rows) => rows.length === 0,
  );
}

function newSend(digits: string) {
  return { request: { to: `+${digits}`, kind: 'text', body: randomUUID() }, idempotency_key: randomUUID() };
}
