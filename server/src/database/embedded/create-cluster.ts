import { randomUUID } from 'node:crypto';
import { appendFile, chown, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { CannotRun } from '../../process/cannot-run.ts';
import type { Cluster } from './cluster.ts';
import { explainFailure } from './explain-failure.ts';
import { programFile } from './find-programs.ts';
import { ownFolder, runProgram } from './run-program.ts';

/**
 * Creates the cluster if it is missing: in a temporary folder, which is synced and then renamed into place. The caller
 * holds the folder's lock.
 */
export async function createCluster(cluster: Cluster): Promise<void> {
  await sweepUnfinished(cluster.folder);
  const version = await readFile(path.join(cluster.path, 'PG_VERSION'), 'utf8').catch(ifMissing);
  if (version !== undefined) return checkVersion(cluster, version.trim());
  await refuseRemains(cluster);
  const fresh = path.join(cluster.folder, `${unfinished}${randomUUID()}`);
  await mkdir(fresh, { mode: 0o700 });
  if (cluster.account) await chown(fresh, cluster.account.uid, cluster.account.gid);
  await runInitdb(cluster, fresh);
  // The settings that initdb chose for this machine stay. Each start rewrites our own file.
  await appendFile(path.join(fresh, 'postgresql.conf'), "\ninclude = 'majlis.conf'\n");
  await syncFolder(fresh);
  await rename(fresh, cluster.path);
  await syncEntry(cluster.folder);
}

const unfinished = 'new-';

/**
 * Removes the temporary folders of killed starts. An initdb that outlived its start may still write; the next start
 * removes its remains.
 */
async function sweepUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(unfinished)) continue;
    await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function checkVersion({ path: place, programs }: Cluster, version: string): void {
  const ours = programs.version.split('.')[0];
  if (version === ours) return;
  throw new CannotRun(
    `the database in ${place} was made by PostgreSQL ${version} and this Majlis brings ${ours}: start the Majlis that made it, or move its contents with pg_dump`,
  );
}

/** Refuses to replace a damaged cluster: only the operator can decide about its data. */
async function refuseRemains({ path: place }: Cluster): Promise<void> {
  const names = await readdir(place).catch(ifMissing);
  if (!names?.length) return;
  const remedy = 'restore it from a backup, or move it away to begin with an empty database';
  throw new CannotRun(`${place} has files but no PG_VERSION: ${remedy}`);
}

async function runInitdb(cluster: Cluster, fresh: string): Promise<void> {
  const where = { account: cluster.account, cwd: fresh };
  // `trust` is safe: the folder has mode 0700, so only its owner reaches the socket.
  // The built-in locale sorts alike on every system. Our own sync takes 0.1 s, initdb's 0.3 s.
  const options = ['--username=majlis', '--auth=trust', '--encoding=UTF8', '--no-locale', '--locale-provider=builtin'];
  const args = [...options, '--builtin-locale=C.UTF-8', '--no-instructions', '--no-sync', '-D', ownFolder(where)];
  const { code, output } = await runProgram(programFile(cluster.programs, 'initdb'), args, where);
  if (code !== 0) throw explainFailure(cluster, output);
}

/** Syncs eight files at a time, so that the file system's journal takes several in one write. */
async function syncFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const places = [folder, ...entries.map((entry) => path.join(entry.parentPath, entry.name))].values();
  const syncers = Array.from({ length: 8 }, async () => {
    for (const place of places) await syncEntry(place);
  });
  await Promise.all(syncers);
}

async function syncEntry(place: string): Promise<void> {
  const file = await open(place, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
