import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startEmbeddedPostgres } from '../../server/src/database/embedded/start-embedded-postgres.ts';

// One database server for all test files: the embedded one, unless TEST_DATABASE_URL names another.
let stop: (() => Promise<void>) | undefined;

export async function globalSetup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL) return;
  const log = pino({ level: 'silent' });
  const data_dir = await mkdtemp(join(tmpdir(), 'majlis-test-'));
  // Several test files at a time, with several services each, open more sessions than one service ever does.
  const settings = { fsync: 'off', max_connections: '400' };
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
