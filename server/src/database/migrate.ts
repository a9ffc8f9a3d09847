import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { CannotRun } from '../process/cannot-run.ts';
import { connectToMigrate, reasonOf } from './connect-to-migrate.ts';
import { createExtensions } from './create-extensions.ts';
import { type Migration, migrationName, readMigrations } from './read-migrations.ts';

export interface MigrateOptions {
  directory?: string;
  /** How long a migration waits for a lock before it lets the others pass and tries again. */
  lock_timeout_ms?: number;
  /** How long all its attempts, or another deployer's migrations, may take. */
  patience_ms?: number;
}

/**
 * Brings the database to the schema of this code: applies what is missing of `migrations/`, in order, each file in a
 * transaction of its own, or in parts where it says so. Any number of deployers may call it at once. Answers the names of what it applied; rejects
 * with CannotRun where the database is of another history, newer than the code, or older than PostgreSQL 15.
 */
export async function migrate(
  connection: pg.ClientConfig,
  log: Logger,
  options: MigrateOptions = {},
): Promise<string[]> {
  const { lock_timeout_ms = 2_000, patience_ms = 300_000 } = options;
  const migrations = await readMigrations(options.directory ?? new URL('./migrations/', import.meta.url));
  const client = await connectToMigrate(connection);
  try {
    // Most starts find nothing to do, and need no lock to see it.
    if ((await findPending(client, migrations)).length === 0) return [];
    await takeTurn(client, log, patience_ms);
    const pending = await findPending(client, migrations);
    if (pending.length > 0) await createExtensions(client);
    for (const migration of pending) await apply({ client, log, migration, lock_timeout_ms, patience_ms });
    return pending.map(migrationName);
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    throw new CannotRun(`the database cannot be migrated: ${reasonOf(error)}`, { cause: error });
  } finally {
    // The session's end gives the lock back.
    await client.end();
  }
}

/** What the database lacks, after a check that all it has is ours, unchanged and without a gap. */
async function findPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query(`select to_regclass('schema_migrations') is not null as known`);
  if (!rows[0].known) return migrations;
  const applied = await client.query(`select version, name, checksum from schema_migrations order by version`);
  for (const [index, row] of applied.rows.entries()) {
    const ours = migrations[index];
    if (!ours || ours.version > row.version) {
      throw new CannotRun(
        `the database has migration ${migrationName(row)}, which this version of Majlis does not know: start a newer one`,
      );
    }
    if (ours.version < row.version) {
      throw new CannotRun(`the database lacks migration ${migrationName(ours)}, but has ${migrationName(row)} already`);
    }
    if (ours.name !== row.name) {
      throw new CannotRun(
        `the database has migration ${migrationName(row)} where Majlis has ${migrationName(ours)}: it is not a database of Majlis`,
      );
    }
    if (ours.checksum !== row.checksum) {
      throw new CannotRun(`migration ${migrationName(ours)} was changed after it was applied to this database`);
    }
  }
  return migrations.slice(applied.rows.length);
}

// "majlis" in ASCII: the number is the lock's only name.
const turnKey = 0x6d616a6c6973;

/** Waits until no other deployer migrates. Asked again and again: to wait inside pg_advisory_lock would hold a snapshot
 * for which the other's CREATE INDEX CONCURRENTLY waits in turn (hazard H100). */
async function takeTurn(client: pg.Client, log: Logger, patience_ms: number): Promise<void> {
  const end = performance.now() + patience_ms;
  for (let told = false; ; told = true) {
    const { rows } = await client.query('select pg_try_advisory_lock($1::bigint) as taken', [turnKey]);
    if (rows[0].taken) break;
    if (performance.now() > end) throw new CannotRun('another process has been migrating this database for too long');
    if (!told) log.info('another process is migrating the database');
    await pause(100);
  }
  await client.query(
    `create table if not exists schema_migrations (
       version integer primary key, name text not null, checksum text not null,
       applied_at timestamptz not null default now())`,
  );
}

interface Apply {
  client: pg.Client;
  log: Logger;
  migration: Migration;
  lock_timeout_ms: number;
  patience_ms: number;
}

const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

/** A statement that waits for a lock makes all later readers of the table wait behind it, so it gives way after a
 * short time and tries again (hazard H100). */
async function apply({ client, log, migration, lock_timeout_ms, patience_ms }: Apply): Promise<void> {
  const name = migrationName(migration);
  const end = performance.now() + patience_ms;
  for (let attempt = 1; ; attempt++) {
    try {
      await applyOnce(client, migration, lock_timeout_ms);
      log.info({ migration: name }, 'migration applied');
      return;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      const code = error instanceof pg.DatabaseError ? error.code : undefined;
      const mayPass = code === lockNotAvailable || code === deadlockDetected;
      if (!mayPass) throw new CannotRun(`migration ${name} failed: ${reasonOf(error)}`, { cause: error });
      if (performance.now() > end) throw new CannotRun(`migration ${name} found its tables locked for too long`);
      log.info({ migration: name, attempt }, 'the migration waits for a lock and tries again');
      await pause(Math.min(100 * attempt, 2_000));
    }
  }
}

async function applyOnce(
  client: pg.Client,
  { version, name, checksum, sql, parts }: Migration,
  lock_timeout_ms: number,
) {
  if (parts) await applyParts(client, parts);
  await client.query('begin');
  if (!parts) {
    await client.query(`set local lock_timeout = ${lock_timeout_ms}`);
    await client.query(sql);
  }
  const row = [version, name, checksum];
  await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', row);
  await client.query('commit');
}

/**
 * Statements that hold no lock against others for long, each by itself: they build an index beside what goes on, or fill
 * rows a portion at a time. All of them come again where an attempt broke off, and so does an index that was left half built.
 */
async function applyParts(client: pg.Client, parts: readonly string[]) {
  const { rows } = await client.query(`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and c.relnamespace = current_schema()::regnamespace`);
  const ours = rows.filter(({ name }) => parts.some((statement) => statement.includes(`if not exists ${name}`)));
  for (const { name } of ours) await client.query(`drop index concurrently ${name}`);
  for (const statement of parts) await client.query(statement);
}
