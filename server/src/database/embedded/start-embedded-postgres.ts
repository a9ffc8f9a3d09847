import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { inDataDir, prepareDataDir } from '../../process/data-dir.ts';
import { adoptPostmaster } from './adopt-postmaster.ts';
import { chooseAccount } from './choose-account.ts';
import { addressOf, chooseAddress, connectionOf, type EmbeddedConnection } from './choose-address.ts';
import { type Cluster, clusterFolder, clusterPath } from './cluster.ts';
import { createCluster } from './create-cluster.ts';
import { createDatabase } from './create-database.ts';
import { findPrograms } from './find-programs.ts';
import { keepRunning } from './keep-running.ts';
import { launchPostmaster } from './launch-postmaster.ts';
import { lockFolder } from './lock-folder.ts';
import { reachPrograms } from './reach-programs.ts';

export interface EmbeddedOptions {
  data_dir: string;
  log: Logger;
  /** PostgreSQL settings over ours, such as `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres {
  connection: EmbeddedConnection;
  /** True where the PostgreSQL of a service that was killed went on and is used further. */
  adopted: boolean;
  /** PostgreSQL's main process; another one after a restart. */
  pid(): number;
  /** Ends PostgreSQL in an orderly way and frees DATA_DIR. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm brought on a cluster under DATA_DIR, made at the first start, or takes over the one
 * that a killed service left running. It outlives this process unless it is stopped, and is started again if it dies.
 * Rejects with CannotRun where the operator must act: DATA_DIR in use or not writable, no PostgreSQL for this system.
 */
export async function startEmbeddedPostgres({
  data_dir,
  log,
  settings = {},
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  await prepareDataDir(data_dir);
  return inDataDir(data_dir, async () => {
    const folder = clusterFolder(data_dir);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = lockFolder(folder, data_dir);
    try {
      const cluster = await openCluster(data_dir);
      const adopted = await adoptPostmaster(cluster, log);
      const address = adopted ? addressOf(adopted) : await chooseAddress(cluster);
      const running = adopted ?? (await launchPostmaster({ cluster, address, settings, log }));
      const keeper = keepRunning({ cluster, running, settings, log });
      const connection = await connectionOf(cluster, running);
      await createDatabase(connection).catch((error) => keeper.stop().then(() => Promise.reject(error)));
      return {
        connection,
        adopted: adopted !== undefined,
        pid: keeper.pid,
        stop: () => keeper.stop().finally(lock.release),
      };
    } catch (error) {
      lock.release();
      throw error;
    }
  });
}

async function openCluster(data_dir: string): Promise<Cluster> {
  const path = clusterPath(data_dir);
  const account = await chooseAccount(path);
  const programs = await reachPrograms(findPrograms(), account);
  const cluster = { data_dir, folder: clusterFolder(data_dir), path, programs, account };
  await createCluster(cluster);
  return cluster;
}
