import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import pino from 'pino';
import { migrate } from '../../server/src/database/migrate.ts';

/** A migrated database of its own. */
export interface TestDatabase {
  connection: pg.ClientConfig;
  /** For after the test; a server that ends with the run keeps its databases until then. */
  drop(): Promise<void>;
}

// The databases of a run are named by it, so that they are found after its end. A file that runs by hand has no run.
const prefix = `majlis_test_${process.env.TEST_RUN ?? 'hand'}_`;
// Migrated once for all test files; whoever comes first makes it.
const templateName = `${prefix}template`;
const templateLock = 7_411;

/**
 * Clones the migrated template. Copied files cost half of logged pages. A database of another locale is migrated by itself.
 */
export async function createTestDatabase({ lc_ctype }: { lc_ctype?: string } = {}): Promise<TestDatabase> {
  const server = serverConnection();
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  await withClient({ ...server, database: 'postgres' }, async (admin) => {
    if (lc_ctype) {
      await admin.query(
        `create database ${name} template template0 locale_provider libc lc_collate 'C' lc_ctype '${lc_ctype}'`,
      );
      await migrate({ ...server, database: name }, pino({ level: 'silent' }));
      return;
    }
    await admin.query('select pg_advisory_lock($1)', [templateLock]);
    await makeTemplate(admin, server);
    await admin.query(`create database ${name} template ${templateName} strategy file_copy`);
    await admin.query('select pg_advisory_unlock($1)', [templateLock]);
  });
  return {
    connection: { ...server, database: name },
    async drop() {
      // ext4 passes over inodes of the last seconds when it makes a file: beside drops, clones take three times as long.
      if (process.env.TEST_DATABASE) return;
      await withClient({ ...server, database: 'postgres' }, async (admin) => {
        await admin.query(`drop database if exists ${name} with (force)`);
      });
    },
  };
}

/** The server of this test run: what the global set-up started, or TEST_DATABASE_URL. */
export function serverConnection(): pg.ClientConfig {
  const { TEST_DATABASE, TEST_DATABASE_URL } = process.env;
  if (TEST_DATABASE) return JSON.parse(TEST_DATABASE) as pg.ClientConfig;
  const url = new URL(TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres');
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}

async function makeTemplate(admin: pg.Client, server: pg.ClientConfig): Promise<void> {
  const label = digestMigrations();
  const made = await admin.query(
    `select shobj_description(oid, 'pg_database') as label from pg_database where datname = $1`,
    [templateName],
  );
  if (made.rows[0]?.label === label) return;
  await admin.query(`drop database if exists ${templateName} with (force)`);
  await admin.query(`create database ${templateName}`);
  await migrate({ ...server, database: templateName }, pino({ level: 'silent' }));
  await admin.query(`comment on database ${templateName} is '${label}'`);
}

/** Changed migrations need another template. */
function digestMigrations(): string {
  const folder = new URL('../../server/src/database/migrations/', import.meta.url);
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(new URL(name, folder)));
  return hash.digest('hex');
}

async function withClient(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 60_000, statement_timeout: 120_000 });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
