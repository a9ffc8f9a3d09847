import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startEmbeddedPostgres } from '../../server/src/database/embedded/start-embedded-postgres.ts';

// The server is deleted after the run, so it need not survive a crash. Its databases stay until then, so autovacuum
// visits more databases than in a service.
const throwaway = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum_naptime: '1min' };

const sharedMemory = '/dev/shm';
const roomNeeded = 4 * 2 ** 30;

// One database server for all test files: the embedded one, unless TEST_DATABASE_URL names another.
let stop: (() => Promise<void>) | undefined;

export async function globalSetup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL) return;
  const log = pino({ level: 'silent' });
  const data_dir = await mkdtemp(join(await chooseParent(), 'majlis-test-'));
  // Several test files at a time, with several services each, open more sessions than one service ever does.
  const settings = { ...throwaway, max_connections: '400' };
  const postgres = await startEmbeddedPostgres({ data_dir, log, settings });
  process.env.TEST_DATABASE = JSON.stringify(postgres.connection);
  stop = async () => {
    await postgres.stop();
    await rm(data_dir, { recursive: true, force: true });
  };
}

export async function globalTeardown(): Promise<void> {
  await stop?.();
}

/** A database has 350 files. In memory they take half the time, if the machine has enough of it. */
async function chooseParent(): Promise<string> {
  const { bavail, bsize } = await statfs(sharedMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= roomNeeded ? sharedMemory : tmpdir();
}
