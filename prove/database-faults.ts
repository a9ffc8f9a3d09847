import { setTimeout as pause } from 'node:timers/promises';
import { buildStage, urlOf } from '@majlis/testing/faults/build-stage';
import { faultyProxy } from '@majlis/testing/faults/faulty-proxy';
import { loseDatabase, untilReadyIs } from '@majlis/testing/faults/lose-database';
import { temporaryPostgres } from '@majlis/testing/faults/temporary-postgres';
import type { Run } from './section.ts';

/**
 * PostgreSQL stopped in immediate mode, and a network that resets, swallows or passes one way only, under load: the
 * process lives, is ready again within 10 s, answers 201 or 503 in between, and loses nothing that it acknowledged.
 */
export async function proveDatabaseFaults({ seed, count, say }: Run): Promise<string[]> {
  await restart(seed, count, say);
  await cut(seed + 1, count, say);
  return [];
}

async function restart(seed: number, rounds: number, say: Run['say']): Promise<void> {
  const postgres = await temporaryPostgres();
  const { connection } = postgres;
  const stage = await buildStage({ seed, database: { url: urlOf(connection), connection } });
  say(`${rounds} immediate restarts of PostgreSQL`);
  await loseDatabase(stage, {
    rounds,
    say,
    async breakDatabase(majlis) {
      await postgres.stop();
      await untilReadyIs(majlis, 503);
      await pause(stage.random.between(0, 1_000));
      await postgres.start();
    },
  });
}

async function cut(seed: number, rounds: number, say: Run['say']): Promise<void> {
  const postgres = await temporaryPostgres();
  const { connection } = postgres;
  const proxy = await faultyProxy(postgres.socket);
  const url = urlOf({ ...connection, host: '127.0.0.1', port: proxy.port });
  const stage = await buildStage({ seed, database: { url, connection } });
  const faults = ['reset', 'halfOpen', 'hang'] as const;
  say(`${rounds} cuts of the network: ${faults.join(', ')} in turn`);
  let round = 0;
  await loseDatabase(stage, {
    rounds,
    say,
    async breakDatabase(majlis) {
      const fault = faults[round++ % faults.length]!;
      proxy[fault]();
      if (fault === 'reset') return;
      await untilReadyIs(majlis, 503);
      proxy.mend();
    },
  });
}
