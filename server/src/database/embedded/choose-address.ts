import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ListenOptions } from 'node:net';
import path from 'node:path';
import type { Cluster } from './cluster.ts';
import { explainFailure } from './explain-failure.ts';
import { programFile } from './find-programs.ts';
import type { Postmaster } from './postmaster.ts';
import { ownFolder, runProgram } from './run-program.ts';

/** PostgreSQL listens on a socket in its own folder, or on the loopback interface with a password. */
export type Address = { kind: 'socket' } | { kind: 'loopback'; port: number };

export interface EmbeddedConnection {
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
}

/** Chooses a socket if the file system supports sockets and the path is short enough. */
export async function chooseAddress(cluster: Cluster): Promise<Address> {
  // The name is as long as the name of PostgreSQL's socket.
  const probe = path.join(cluster.path, '.s.PGSQL.test');
  await rm(probe, { force: true });
  if ((await listenOnce({ path: probe })) !== undefined) return { kind: 'socket' };
  const port = await listenOnce({ host: '127.0.0.1', port: 0 });
  return { kind: 'loopback', port: port ?? 5432 };
}

/** The address of a running PostgreSQL. */
export function addressOf(running: Postmaster): Address {
  return running.socket_dir === '' ? { kind: 'loopback', port: running.port } : { kind: 'socket' };
}

/** The connection settings of a running PostgreSQL. */
export async function connectionOf(cluster: Cluster, running: Postmaster): Promise<EmbeddedConnection> {
  const names = { user: 'majlis', database: 'majlis', port: running.port };
  if (addressOf(running).kind === 'socket') return { ...names, host: cluster.path };
  return { ...names, host: '127.0.0.1', password: await readFile(passwordFile(cluster), 'utf8') };
}

/** Gives the database's user a random password once, before PostgreSQL starts. */
export async function preparePassword(cluster: Cluster): Promise<void> {
  if (await readFile(passwordFile(cluster)).catch(() => undefined)) return;
  const password = randomBytes(24).toString('base64url');
  const where = { account: cluster.account, cwd: cluster.path };
  const args = ['--single', '-D', ownFolder(where), 'postgres'];
  const input = `alter role majlis password '${password}';\n`;
  const { code, output } = await runProgram(programFile(cluster.programs, 'postgres'), args, { ...where, input });
  if (code !== 0 || output.includes('ERROR:')) throw explainFailure(cluster, output);
  await writeFile(passwordFile(cluster), password, { mode: 0o600 });
}

function passwordFile({ folder }: Cluster): string {
  return path.join(folder, 'password');
}

/** The port of a listener that opened and closed, 0 for a socket; undefined when it cannot open. */
function listenOnce(options: ListenOptions): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(options, () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === 'object' ? address.port : 0));
    });
  });
}
