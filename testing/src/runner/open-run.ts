import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { startEmbeddedPostgres } from '../../../server/src/database/embedded/start-embedded-postgres.ts';

/** What the processes of a run share: a folder, and a database server. */
export interface Run {
  folder: string;
  /** For the processes of the run. */
  env: NodeJS.ProcessEnv;
  /** A folder for the temporary files of one process. It is marked by it: what it starts is found by TMPDIR. */
  temporaryFolder(): Promise<string>;
  /** Ends what is left of the run, and removes its folders and databases. */
  close(): Promise<void>;
}

// The server is deleted after the run, so it need not survive a crash. Its databases stay until then: hundreds, which
// autovacuum would visit one by one, with a process each. Several services in several processes open more sessions than
// one ever does.
const settings = {
  ...{ fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum_naptime: '10min' },
  max_connections: '400',
};
const sharedMemory = '/dev/shm';
const roomNeeded = 4 * 2 ** 30;

/**
 * Opens a run on an embedded PostgreSQL of its own, unless TEST_DATABASE_URL names a server or it runs inside another run.
 * A killed run is cleared away too.
 */
export async function openRun(): Promise<Run> {
  const id = randomBytes(4).toString('hex');
  const folder = await mkdtemp(path.join(tmpdir(), 'majlis-run-'));
  // Some tests run the service as another user.
  await chmod(folder, 0o755);
  const { TEST_DATABASE_URL, TEST_DATABASE } = process.env;
  const databases = TEST_DATABASE_URL || TEST_DATABASE ? undefined : await makeFolder(folder);
  const program = fileURLToPath(new URL('reap.ts', import.meta.url));
  const reaper = spawn(process.execPath, [program, id, folder, ...(databases ? [databases] : [])], {
    stdio: ['pipe', 'ignore', 'inherit'],
    // What signals the run's group does not reach it. Its folder is none of those that it clears.
    detached: true,
    cwd: '/',
  });
  const reaped = once(reaper, 'close');
  const postgres = databases
    ? await startEmbeddedPostgres({ data_dir: databases, log: pino({ level: 'silent' }), settings })
    : undefined;
  let count = 0;
  let closed: Promise<void> | undefined;
  return {
    folder,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.resolve('node_modules/.cache/tests'),
      TEST_RUN: id,
      ...(postgres && { TEST_DATABASE: JSON.stringify(postgres.connection) }),
    },
    async temporaryFolder() {
      const temporary = path.join(folder, String(++count));
      await mkdir(temporary);
      await chmod(temporary, 0o1777);
      return temporary;
    },
    close() {
      closed ??= (async () => {
        await postgres?.stop();
        reaper.stdin.end();
        await reaped;
      })();
      return closed;
    },
  };
}

/** A database has 350 files. In memory they take half the time, if the machine has enough of it. */
async function makeFolder(otherwise: string): Promise<string> {
  const { bavail, bsize } = await statfs(sharedMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  const parent = bavail * bsize >= roomNeeded ? sharedMemory : otherwise;
  return mkdtemp(path.join(parent, 'majlis-test-'));
}
