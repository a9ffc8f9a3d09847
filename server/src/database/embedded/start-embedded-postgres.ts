import { mkdir } from 'node:fs/promises';
import type { Logger } from 'pino';
import { inDataDir, prepareDataDir } from '../../process/data-dir.ts';
import { adoptPostmaster } from './adopt-postmaster.ts';
import { dropBallast, keepBallast } from './ballast.ts';
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
  /** PostgreSQL settings that override ours, such as `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres {
  connection: EmbeddedConnection;
  /** True if the PostgreSQL of a killed service was still running and was adopted. */
  adopted: boolean;
  /** The pid of PostgreSQL's main process, which changes with a restart. */
  pid(): number;
  /** Stops PostgreSQL and releases DATA_DIR. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of the npm packages on a cluster under DATA_DIR, or adopts the one that a killed service left
 * running. The first start creates the cluster. PostgreSQL outlives this process unless it is stopped, and is restarted if
 * it dies. Rejects with CannotRun if DATA_DIR is in use or not writable, or if no PostgreSQL fits this system.
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
    await dropBallast(folder, log);
    const lock = lockFolder(folder, data_dir);
    try {
      const cluster = await openCluster(data_dir);
      const adopted = await adoptPostmaster(cluster, log);
      const address = adopted ? addressOf(adopted) : await chooseAddress(cluster);
      const running = adopted ?? (await launchPostmaster({ cluster, address, settings, log }));
      const ballast = keepBallast(folder, log);
      const keeper = keepRunning({ cluster, running, settings, log });
      const connection = await connectionOf(cluster, running);
      await createDatabase(connection).catch((error) => keeper.stop().then(() => Promise.reject(error)));
      return {
        connection,
        adopted: adopted !== undefined,
        pid: keeper.pid,
        async stop() {
          await ballast.stop();
          await keeper.stop().finally(lock.release);
        },
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
