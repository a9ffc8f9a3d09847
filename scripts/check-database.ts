import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { startEmbeddedPostgres } from '../server/src/database/embedded/start-embedded-postgres.ts';
import { migrate } from '../server/src/database/migrate.ts';
import { checkStatements } from './database/check-statements.ts';
import { describeSchema } from './database/describe-schema.ts';

// Writes what is generated from a freshly migrated database: the tables' types and schema.sql. Without --write it only
// compares, and checks the statements of the server too.
const typesFile = 'server/src/database/tables.generated.ts';
const schemaFile = 'server/src/database/schema.sql';
const check = !process.argv.includes('--write');

const log = pino({ level: 'silent' });
const data_dir = mkdtempSync(join(tmpdir(), 'majlis-schema-'));
const postgres = await startEmbeddedPostgres({ data_dir, log, settings: { fsync: 'off' } });
const client = new pg.Client(postgres.connection);
try {
  await migrate(postgres.connection, log);
  await client.connect();
  const faults = [...generateTypes(), ...generateSchema(await describeSchema(client))];
  if (check) faults.push(...(await checkStatements(client)));
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await client.end();
  await postgres.stop();
  rmSync(data_dir, { recursive: true, force: true });
}

function generateTypes(): string[] {
  const { user, password, host, port, database } = postgres.connection;
  const url = `postgres://${user}:${password ?? ''}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const mapping = JSON.stringify({ int8: 'number' });
  const args = ['--dialect', 'postgres', '--url', url, '--out-file', typesFile, '--type-mapping', mapping];
  args.push('--exclude-pattern', 'schema_migrations', '--log-level', 'error', ...(check ? ['--verify'] : []));
  const { status } = spawnSync('node_modules/.bin/kysely-codegen', args, { stdio: 'inherit' });
  return status === 0 ? [] : [`${typesFile} is not that of the migrations: npm run generate`];
}

function generateSchema(schema: string): string[] {
  if (!check) writeFileSync(schemaFile, schema);
  return readFileSync(schemaFile, 'utf8') === schema
    ? []
    : [`${schemaFile} is not that of the migrations: npm run generate`];
}
