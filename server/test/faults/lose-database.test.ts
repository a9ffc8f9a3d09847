import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseUrl } from '@majlis/testing/database-url';
import { eventually } from '@majlis/testing/eventually';
import {
  type BreakDatabase,
  breakDatabaseUnderLoad,
  shortTimeouts,
  untilReadyIs,
} from '@majlis/testing/faults/break-database-under-load';
import { createFaultEnvironment, type FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import { startFaultyProxy } from '@majlis/testing/faults/faulty-proxy';
import { createInterposedEnvironment } from '@majlis/testing/faults/interposed-platform';
import { attemptSend } from '@majlis/testing/faults/keep-sending';
import { silentNumber } from '@majlis/testing/faults/silent-number';
import { startTemporaryPostgres } from '@majlis/testing/faults/temporary-postgres';
import { clusterPath } from '../../src/database/embedded/cluster.ts';
import { readPostmaster } from '../../src/database/embedded/postmaster.ts';

const rounds = Number(process.env.FAULT_ROUNDS ?? 5);

// Stops of PostgreSQL and cuts of the network under load are proved by `npm run prove -- --only database-faults`.
describe('a service whose database goes away and comes back', () => {
  it('lives through the death of the PostgreSQL that it brings itself', async (t) => {
    const environment = await createFaultEnvironment({ embedded: true });
    await underLoad(t, environment, async (majlis) => {
      const running = await readPostmaster(clusterPath(environment.data_dir));
      process.kill(running!.pid, 'SIGKILL');
      await untilReadyIs(majlis, 503);
    });
  });

  it('lives through the end of all its sessions', async (t) => {
    const environment = await createFaultEnvironment();
    await underLoad(t, environment, async () => {
      await environment.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    });
  });

  it('meets no dead connection when the network has been back for a moment', async () => {
    const postgres = await startTemporaryPostgres();
    const { connection } = postgres;
    const proxy = await startFaultyProxy(postgres.socket);
    const url = databaseUrl({ ...connection, host: '127.0.0.1', port: proxy.port });
    const environment = await createFaultEnvironment({ database: { url, connection } });
    const { majlis, key } = await startFaultService(environment, { ...shortTimeouts, DATABASE_POOL_SIZE: '40' });
    const read = () => fetch(`${majlis.url}/v1/conversations`, { headers: { authorization: `Bearer ${key}` } });
    // Several connections are open when they die, and none of them is in use.
    await Promise.all(Array.from({ length: 40 }, read));
    proxy.hang();
    // They are found within 3 s.
    await pause(6_000);
    proxy.mend();
    // On a dead connection the answer is 503.
    const answers = await Promise.all(Array.from({ length: 40 }, read));
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
  });

  it('records what the platform answered meanwhile', async () => {
    const postgres = await startTemporaryPostgres();
    const { connection } = postgres;
    const environment = await createInterposedEnvironment({
      database: { url: databaseUrl(connection), connection },
    });
    // The answer is held back until PostgreSQL has stopped, and must not come too late for that.
    const { majlis, key } = await startFaultService(environment, {
      ...shortTimeouts,
      PLATFORM_TIMEOUT_SECONDS: '10',
      LEASE_SECONDS: '30',
    });
    // The client has its answer by then: a session that is cut before has none for it.
    const answered = Promise.withResolvers<void>();
    environment.platform.onAccepted = () => answered.promise.then(() => postgres.stop());
    const request = { to: silentNumber, kind: 'template', template: { name: 'order_ready', language: 'en' } };
    assert.equal((await attemptSend(majlis.url, key, { request, idempotency_key: randomUUID() })).status, '201');
    answered.resolve();
    await untilReadyIs(majlis, 503);
    await postgres.start();
    // No status will ever tell: only the answer itself can.
    const [message] = await eventually(
      () =>
        environment.sql(
          `select platform_message_id as wamid, outcome_unknown from messages where direction = 'outbound'`,
        ),
      ([row]) => row?.wamid !== null || row.outcome_unknown,
    );
    assert.deepEqual(message, { wamid: environment.simulator.ledger()[0]!.wamid, outcome_unknown: false });
  });
});

async function underLoad(
  t: TestContext,
  environment: FaultEnvironment,
  breakDatabase: BreakDatabase['breakDatabase'],
): Promise<void> {
  await breakDatabaseUnderLoad(environment, { rounds, breakDatabase, log: (text) => t.diagnostic(text) });
}
