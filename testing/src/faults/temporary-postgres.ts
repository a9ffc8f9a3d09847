import { mkdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import pino from 'pino';
import { chooseAccount } from '../../../server/src/database/embedded/choose-account.ts';
import { addressOf, connectionOf } from '../../../server/src/database/embedded/choose-address.ts';
import { clusterFolder, clusterPath } from '../../../server/src/database/embedded/cluster.ts';
import { createCluster } from '../../../server/src/database/embedded/create-cluster.ts';
import { createDatabase } from '../../../server/src/database/embedded/create-database.ts';
import { findPrograms } from '../../../server/src/database/embedded/find-programs.ts';
import { launchPostmaster } from '../../../server/src/database/embedded/launch-postmaster.ts';
import { isAlive } from '../../../server/src/database/embedded/postmaster.ts';
import { reachPrograms } from '../../../server/src/database/embedded/reach-programs.ts';
import { repeatUntil } from '../repeat-until.ts';
import { makeFolder } from '../start-process.ts';

/** A PostgreSQL of its own for a test that breaks it. It ends after the test file. */
export interface TemporaryPostgres {
  connection: pg.ClientConfig;
  /** The path of its Unix socket. */
  socket: string;
  /** Stops it in immediate mode, which cuts every connection. */
  stop(): Promise<void>;
  /** Waits for the end of a stop, then starts it. */
  start(): Promise<void>;
}

export async function startTemporaryPostgres(): Promise<TemporaryPostgres> {
  const log = pino({ level: 'silent' });
  const data_dir = await makeFolder();
  const path = clusterPath(data_dir);
  const account = await chooseAccount(path);
  const programs = await reachPrograms(findPrograms(), account);
  const cluster = { data_dir, folder: clusterFolder(data_dir), path, programs, account };
  await mkdir(cluster.folder, { mode: 0o700 });
  await createCluster(cluster);
  const launch = () => launchPostmaster({ cluster, address: { kind: 'socket' }, settings: { fsync: 'off' }, log });

  let running = await launch();
  let stopped: Promise<void> = Promise.resolve();
  const connection = await connectionOf(cluster, running);
  await createDatabase(connection);
  if (addressOf(running).kind !== 'socket') throw new Error('the folder for temporary files is too long for a socket');
  return {
    connection,
    socket: `${connection.host}/.s.PGSQL.${connection.port}`,
    stop() {
      process.kill(running.pid, 'SIGQUIT');
      stopped = untilGone(path, running.pid);
      return stopped;
    },
    async start() {
      await stopped;
      running = await launch();
    },
  };
}

async function untilGone(clusterPath: string, pid: number): Promise<void> {
  const isGone = async () => !(await isAlive(clusterPath, pid));
  await repeatUntil(isGone, () => pause(5), 30_000);
}
