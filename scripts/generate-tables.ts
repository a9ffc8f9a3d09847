import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startEmbeddedPostgres } from '../server/src/database/embedded/start-embedded-postgres.ts';
import { migrate } from '../server/src/database/migrate.ts';

// Writes the types of the tables from a freshly migrated database; with --check it only compares.
const file = 'server/src/database/tables.generated.ts';
const check = process.argv.includes('--check');

const log = pino({ level: 'silent' });
const data_dir = mkdtempSync(join(tmpdir(), 'majlis-tables-'));
const postgres = await startEmbeddedPostgres({ data_dir, log, settings: { fsync: 'off' } });
try {
  await migrate(postgres.connection, log);
  const { user, password, host, port, database } = postgres.connection;
  const url = `postgres://${user}:${password ?? ''}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const mapping = JSON.stringify({ int8: 'number' });
  const args = ['--dialect', 'postgres', '--url', url, '--out-file', file, '--type-mapping', mapping];
  args.push('--exclude-pattern', 'schema_migrations', '--log-level', 'error', ...(check ? ['--verify'] : []));
  const { status } = spawnSync('node_modules/.bin/kysely-codegen', args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  await postgres.stop();
  rmSync(data_dir, { recursive: true, force: true });
}
