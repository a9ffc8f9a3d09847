import { createConnection } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import type { Logger } from 'pino';
import { CannotRun } from '../../process/cannot-run.ts';
import { connectionOf } from './choose-address.ts';
import type { Cluster } from './cluster.ts';
import { clearStale, isAlive, type Postmaster, pause, readPostmaster, stopPostmaster } from './postmaster.ts';

// A recovery or shutdown of PostgreSQL may take this long. A longer silence counts as a hang.
const patienceMs = 60_000;

/**
 * Adopts the PostgreSQL that a killed service left running, once it takes connections. Undefined if none runs. A
 * PostgreSQL of another version is stopped first, so that an update of Majlis takes effect.
 */
export async function adoptPostmaster(cluster: Cluster, log: Logger): Promise<Postmaster | undefined> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await readPostmaster(cluster.path);
    if (!found) return undefined;
    if (!(await isAlive(cluster.path, found.pid))) return clearDead(cluster, found);
    if (found.status === 'ready') {
      if (await isOurVersion(cluster, found)) {
        log.info({ postgres_pid: found.pid }, 'the embedded PostgreSQL of an earlier run is used further');
        return found;
      }
      await stopPostmaster(cluster.path, found.pid, patienceMs);
    }
    if (performance.now() > end) {
      throw new CannotRun(`the PostgreSQL in ${cluster.path} (process ${found.pid}) does not answer: end it by hand`);
    }
    await pause(20);
  }
}

/** Containers that share a volume do not see each other's processes, but can reach each other's sockets. */
async function clearDead(cluster: Cluster, found: Postmaster): Promise<undefined> {
  if (await answers(path.join(cluster.path, `.s.PGSQL.${found.port}`))) {
    throw new CannotRun(`DATA_DIR ${cluster.data_dir} is in use by a PostgreSQL outside this container: stop it first`);
  }
  await clearStale(cluster.path, found);
}

async function isOurVersion(cluster: Cluster, found: Postmaster): Promise<boolean> {
  const client = new pg.Client({ ...(await connectionOf(cluster, found)), database: 'postgres' });
  try {
    await client.connect();
    const { rows } = await client.query('show server_version');
    return cluster.programs.version.startsWith(`${rows[0].server_version}.`);
  } finally {
    await client.end();
  }
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    connection.on('error', () => resolve(false));
    connection.on('connect', () => {
      connection.destroy();
      resolve(true);
    });
  });
}
