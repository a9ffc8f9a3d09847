import { once } from 'node:events';
import { open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { dropBallast } from './ballast.ts';
import { type Address, preparePassword } from './choose-address.ts';
import { type Cluster, startLogFile } from './cluster.ts';
import { explainFailure } from './explain-failure.ts';
import { programFile } from './find-programs.ts';
import { type Postmaster, pause, readPostmaster } from './postmaster.ts';
import { explainSpawn, ownFolder, spawnProgram } from './run-program.ts';
import { writeSettings } from './write-settings.ts';

export interface LaunchPostmaster {
  cluster: Cluster;
  address: Address;
  settings: Record<string, string>;
  log: Logger;
}

/** Starts PostgreSQL on the cluster and waits until it takes connections. After a crash, this includes the recovery. */
export async function launchPostmaster({ cluster, address, settings, log }: LaunchPostmaster): Promise<Postmaster> {
  await dropBallast(cluster.folder, log);
  await writeSettings(cluster, address, settings);
  if (address.kind === 'loopback') await preparePassword(cluster);
  const child = await spawnPostmaster(cluster);
  const started = performance.now();
  let told = false;
  for (;;) {
    const running = await readPostmaster(cluster.path);
    if (running?.pid === child.pid && running?.status === 'ready') return running;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw explainFailure(cluster, await lastWords(cluster));
    }
    if (!told && performance.now() - started > 5_000) {
      told = true;
      log.warn('the embedded PostgreSQL recovers from a crash: this may take minutes');
    }
    await pause(5);
  }
}

/**
 * Runs PostgreSQL in a session of its own: Ctrl-C in the terminal does not reach it, and it survives this process. Its
 * output goes to a file, because a pipe would break when this process ends.
 */
async function spawnPostmaster(cluster: Cluster) {
  const program = programFile(cluster.programs, 'postgres');
  const where = { account: cluster.account, cwd: cluster.path };
  const output = await open(startLogFile(cluster), 'w', 0o600);
  try {
    const child = spawnProgram(program, ['-D', ownFolder(where)], where, {
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    await once(child, 'spawn').catch((error) => {
      throw explainSpawn(error, program, where);
    });
    child.unref();
    return child;
  } finally {
    await output.close();
  }
}

/** The output of PostgreSQL followed by the newest file of its log. */
async function lastWords(cluster: Cluster): Promise<string> {
  const folder = path.join(cluster.path, 'log');
  const files = (await readdir(folder).catch(() => [])).map((name) => path.join(folder, name));
  const current = await readFile(path.join(cluster.path, 'current_logfiles'), 'utf8').catch(() => '');
  const newest = files.find((file) => current.includes(path.basename(file)));
  const texts = [startLogFile(cluster), newest].map((file) => (file ? readFile(file, 'utf8').catch(() => '') : ''));
  return (await Promise.all(texts)).join('\n');
}
