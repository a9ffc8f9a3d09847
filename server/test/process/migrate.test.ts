import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, beforeEach, describe, it } from 'node:test';
import { boundedConnection } from '@majlis/testing/bounded-connection';
import { cleanUp } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { makeFolder } from '@majlis/testing/start-process';
import { serverConnection } from '@majlis/testing/test-database';
import pg from 'pg';
import pino from 'pino';
import { connectToMigrate } from '../../src/database/connect-to-migrate.ts';
import { migrate } from '../../src/database/migrate.ts';

const log = pino({ level: 'silent' });

describe('migrate', () => {
  const name = `majlis_migrate_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client(boundedConnection({ ...serverConnection(), database: 'postgres' }));
  const connection = { ...serverConnection(), database: name };
  let directory: string;

  before(() => admin.connect());
  beforeEach(async () => {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`create database ${name}`);
    directory = await makeFolder();
    await write('000001_shelves.sql', 'create table shelves (id int)');
    await write('000002_books.sql', 'create table books (id int); insert into books values (1)');
  });
  cleanUp('the connection', () => admin.end());
  cleanUp('the database', () => admin.query(`drop database if exists ${name} with (force)`));

  const write = (file: string, sql: string) => writeFile(path.join(directory, file), sql);
  const run = (options = {}) => migrate(connection, log, { directory, ...options });
  const refuses = (message: RegExp) => assert.rejects(run(), { name: 'CannotRun', message });

  /** A connection with a lock on a table until it ends. */
  async function openReader(): Promise<pg.Client> {
    const reader = new pg.Client(boundedConnection(connection));
    await reader.connect();
    cleanUp('a reader', () => reader.end());
    await reader.query('begin; select from books');
    return reader;
  }
  async function query(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(boundedConnection(connection));
    await client.connect();
    return (await client.query(text).finally(() => client.end())).rows;
  }

  it('applies what is missing, in order and once', async () => {
    assert.deepEqual(await run(), ['000001_shelves', '000002_books']);
    assert.deepEqual(await run(), []);
    await write('000003_loans.sql', 'create table loans (id int)');
    assert.deepEqual(await run(), ['000003_loans']);
    assert.deepEqual(await query('select version, name from schema_migrations order by version'), [
      { version: 1, name: 'shelves' },
      { version: 2, name: 'books' },
      { version: 3, name: 'loans' },
    ]);
  });

  it('applies each migration once when several deployers come together', async () => {
    await write('000001_shelves.sql', 'create table shelves (id int); select pg_sleep(0.3)');
    const applied = await Promise.all([run(), run(), run(), run()]);
    assert.deepEqual(applied.flat(), ['000001_shelves', '000002_books']);
    assert.deepEqual(await query('select id from books'), [{ id: 1 }]);
  });

  it('keeps nothing of a migration that fails, and all that came before it', async () => {
    await write('000002_books.sql', 'create table books (id int); select 1 / 0');
    await refuses(/^migration 000002_books failed: division by zero$/);
    const [row] = await query(`select to_regclass('shelves') is not null as shelves, to_regclass('books') as books`);
    assert.deepEqual(row, { shelves: true, books: null });
    await write('000002_books.sql', 'create table books (id int)');
    assert.deepEqual(await run(), ['000002_books']);
  });

  it('applies a migration in parts, and builds anew what an attempt left half built', async () => {
    await write('000002_books.sql', 'create table books (id int); insert into books values (1), (1)');
    await run();
    await write(
      '000003_unique.sql',
      '-- in parts\ncreate unique index concurrently if not exists unique_books on books (id);\n\ninsert into books values (2);',
    );
    await refuses(/^migration 000003_unique failed: could not create unique index "unique_books"$/);
    await query('delete from books where ctid = (select min(ctid) from books)');
    assert.deepEqual(await run(), ['000003_unique']);
    assert.deepEqual(await query('select id from books order by id'), [{ id: 1 }, { id: 2 }]);
    const indexes = await query(`select indisvalid from pg_index where indexrelid = 'unique_books'::regclass`);
    assert.deepEqual(indexes, [{ indisvalid: true }]);
  });

  it('refuses a migration that was changed after it was applied, but not for its line ends', async () => {
    await write('000001_shelves.sql', 'create table shelves\n(id int)');
    await run();
    await write('000001_shelves.sql', 'create table shelves\r\n(id int)');
    assert.deepEqual(await run(), []);
    await write('000001_shelves.sql', 'create table shelves (id bigint)');
    await refuses(/^migration 000001_shelves was changed after it was applied to this database$/);
  });

  it('refuses a database that is newer than the code, or that lacks an older migration', async () => {
    await run();
    await query(`insert into schema_migrations (version, name, checksum) values (4, 'later', 'x')`);
    await refuses(/^the database has migration 000004_later, which this version of Majlis does not know/);
    await write('000003_between.sql', 'select 1');
    await write('000004_later.sql', 'select 1');
    await refuses(/^the database lacks migration 000003_between, but has 000004_later already$/);
  });

  it('refuses a database whose migrations are those of something else', async () => {
    await write('000001_cars.sql', 'create table cars (id int)');
    await rm(path.join(directory, '000001_shelves.sql'));
    await run();
    await rm(path.join(directory, '000001_cars.sql'));
    await write('000001_shelves.sql', 'create table shelves (id int)');
    await refuses(
      /^the database has migration 000001_cars where Majlis has 000001_shelves: it is not a database of Majlis$/,
    );
  });

  it('refuses files that it could not put in order', async () => {
    await write('000002_shelves_again.sql', 'select 1');
    await refuses(/^two migrations have the number 2$/);
    await write('3_loans.sql', 'select 1');
    await refuses(/^migration 3_loans.sql is not named like 000001_first_tables.sql$/);
  });

  it('lets readers of a locked table pass while it waits for the lock', async () => {
    await run();
    const reader = await openReader();
    await write('000003_more.sql', 'alter table books add column title text');
    const migrating = run({ lock_timeout_ms: 50 });
    // The migration stands in the lock's queue, and gives its place up again and again.
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like 'alter table books%'`;
    await eventually(
      () => query(waiting),
      (rows) => rows.length > 0,
    );
    assert.deepEqual(await query('select id from books'), [{ id: 1 }]);
    await reader.query('commit');
    await reader.end();
    assert.deepEqual(await migrating, ['000003_more']);
  });

  it('gives up in one line where a lock is held for too long', async () => {
    await run();
    const reader = await openReader();
    await write('000003_more.sql', 'alter table books add column title text');
    const message = /^migration 000003_more found its tables locked for too long$/;
    await assert.rejects(run({ lock_timeout_ms: 20, patience_ms: 50 }), { name: 'CannotRun', message });
    await reader.end();
  });

  it('says in one line that the database cannot be reached', async () => {
    const nowhere = { host: '127.0.0.1', port: 1, user: 'majlis', database: 'majlis' };
    const message = /^the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1$/;
    await assert.rejects(migrate(nowhere, log), { name: 'CannotRun', message });
  });

  it('says what an administrator has to run where it may not create the extensions', async () => {
    const role = `${name}_role`;
    await admin.query(`create role ${role}`);
    try {
      await query(`grant all on schema public to ${role}`);
      const restricted = { ...connection, options: `-c role=${role}` };
      const message =
        'permission denied to create extension "pg_trgm": let a superuser run in this database: create extension pg_trgm; create extension btree_gin;';
      await assert.rejects(migrate(restricted, log), { name: 'CannotRun', message });
      await query('create extension pg_trgm; create extension btree_gin');
      assert.ok((await migrate(restricted, log)).length > 0);
    } finally {
      await query(`drop owned by ${role}`);
      await admin.query(`drop role ${role}`);
    }
  });

  it('refuses a database in another encoding than UTF-8', async () => {
    await admin.query(`drop database ${name}`);
    await admin.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`);
    const message = "the database's encoding is SQL_ASCII; Majlis needs UTF8";
    await assert.rejects(connectToMigrate(connection), { name: 'CannotRun', message });
  });
});
