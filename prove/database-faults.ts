import { setTimeout as pause } from 'node:timers/promises';
import { databaseUrl } from '@majlis/testing/database-url';
import { breakDatabaseUnderLoad, untilReadyIs } from '@majlis/testing/faults/break-database-under-load';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultyProxy } from '@majlis/testing/faults/faulty-proxy';
import { startTemporaryPostgres } from '@majlis/testing/faults/temporary-postgres';
import type { ProofRun } from './section.ts';

/**
 * PostgreSQL stopped in immediate mode, and a network that resets, swallows or passes one way only, under load: the
 * process lives, is ready again within 10 s, answers 201 or 503 in between, and loses nothing that it acknowledged.
 */
export async function proveDatabaseFaults({ seed, count, log }: ProofRun): Promise<string[]> {
  await restart(seed, count, log);
  await cut(seed + 1, count, log);
  return [];
}

async function restart(seed: number, rounds: number, log: ProofRun['log']): Promise<void> {
  const postgres = await startTemporaryPostgres();
  const { connection } = postgres;
  const environment = await createFaultEnvironment({ seed, database: { url: databaseUrl(connection), connection } });
  log(`${rounds} immediate restarts of PostgreSQL`);
  await breakDatabaseUnderLoad(environment, {
    rounds,
    log,
    async breakDatabase(majlis) {
      await postgres.stop();
      await untilReadyIs(majlis, 503);
      await pause(environment.random.between(0, 1_000));
      await postgres.start();
    },
  });
}

async function cut(seed: number, rounds: number, log: ProofRun['log']): Promise<void> {
  const postgres = await startTemporaryPostgres();
  const { connection } = postgres;
  const proxy = await startFaultyProxy(postgres.socket);
  const url = databaseUrl({ ...connection, host: '127.0.0.1', port: proxy.port });
  const environment = await createFaultEnvironment({ seed, database: { url, connection } });
  const faults = ['reset', 'halfOpen', 'hang'] as const;
  log(`${rounds} cuts of the network: ${faults.join(', ')} in turn`);
  let round = 0;
  await breakDatabaseUnderLoad(environment, {
    rounds,
    log,
    async breakDatabase(majlis) {
      const fault = faults[round++ % faults.length]!;
      proxy[fault]();
      if (fault === 'reset') return;
      await untilReadyIs(majlis, 503);
      proxy.mend();
    },
  });
}
