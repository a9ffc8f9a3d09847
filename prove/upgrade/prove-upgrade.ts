import { randomBytes } from 'node:crypto';
import { copyFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { createApi } from '@majlis/testing/api';
import { databaseUrl } from '@majlis/testing/database-url';
import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { callOperator } from '@majlis/testing/operator';
import { makeFolder } from '@majlis/testing/start-process';
import { serverConnection } from '@majlis/testing/test-database';
import pg from 'pg';
import pino from 'pino';
import { migrate } from '../../server/src/database/migrate.ts';
import { readMigrations } from '../../server/src/database/read-migrations.ts';
import type { ProofRun } from '../section.ts';
import { fillBaseline, messagesEach, phone_number_id, tags, waba_id, workspaceName } from './fill-baseline.ts';
import { type OldProcesses, runOldProcesses } from './old-processes.ts';

const silentLog = pino({ level: 'silent' });
const folders = ['../../server/src/database/migrations/', './sample-migrations/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
/** The migrations of the first release; the later ones are the upgrade. */
const baselineVersion = 9;
/** How long a statement of the old processes may wait. */
const mostWaitMs = 5_000;
/** How long a statement that fills or changes the database may take. */
const mostStatementMs = 600_000;

/**
 * A filled database of the first release gets all later migrations, and sample ones, while old processes read and write:
 * no statement waits for long, no row is lost, and the service of this version reads the old rows.
 */
export async function proveUpgrade({ seed, count, log }: ProofRun): Promise<string[]> {
  const name = `majlis_upgrade_${randomBytes(6).toString('hex')}`;
  const connection = { ...serverConnection(), database: name };
  await onServer(`create database ${name}`);
  try {
    const files = (await Promise.all(folders.map(listFiles))).flat();
    const later = files.filter(({ version }) => version > baselineVersion);
    const directory = await makeFolder();
    const apply = async (chosen: typeof files) => {
      for (const { file } of chosen) await copyFile(file, path.join(directory, path.basename(file)));
      await migrate(connection, silentLog, { directory });
    };
    await apply(files.filter(({ version }) => version <= baselineVersion));
    await onServer((client) => fillBaseline(client, count), name);
    const busy = await runOldProcesses(connection);
    const waits: string[] = [];
    const from = performance.now();
    // One after the other, so that the longest wait is known by its migration.
    let took_ms: number;
    try {
      for (const migration of later) {
        const before = { ...busy.slowest };
        await apply([migration]);
        const { reading_ms } = busy.slowest;
        if (reading_ms > before.reading_ms) waits.push(`${path.basename(migration.file)} ${reading_ms} ms`);
      }
      took_ms = Math.round(performance.now() - from);
    } finally {
      await busy.stop();
    }
    log(`${count} contacts, ${count * messagesEach} messages: ${later.length} migrations in ${took_ms} ms`);
    log(
      `meanwhile ${busy.written.length} messages were written, with ${busy.deadlocks} deadlocks that were tried again`,
    );
    log(`the longest waits: ${JSON.stringify(busy.slowest)}; of readers by then: ${waits.join(', ')}`);
    const environment = await createFaultEnvironment({ seed, database: { url: databaseUrl(connection), connection } });
    const samples = await judgeSamples(environment.sql);
    await onServer((client) => applyPartsAgain(client, directory), name);
    const majlis = await environment.majlis();
    await majlis.start();
    const messages = count * messagesEach + busy.written.length;
    const faults = [...judge(busy), ...samples, ...(await compare(majlis.url, environment.sql, messages))];
    await majlis.kill();
    return faults;
  } finally {
    await onServer(`drop database ${name} with (force)`);
  }
}

async function listFiles(folder: string): Promise<{ version: number; file: string }[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return names.map((file) => ({ version: Number.parseInt(file, 10), file: path.join(folder, file) }));
}

/** A failed attempt restarts with the first part. */
async function applyPartsAgain(client: pg.Client, directory: string): Promise<void> {
  for (const { parts = [] } of await readMigrations(directory)) for (const part of parts) await client.query(part);
}

/** The sample's column, index and constraint. Its record is removed, because no service knows the sample. */
async function judgeSamples(sql: Sql): Promise<string[]> {
  const [found] = await sql<{ unfilled: number; index: boolean; keys: string[] }>(`
    select (select count(*)::int from messages where body_length is distinct from length(body)) as unfilled,
      (select indisvalid from pg_index where indexrelid = 'messages_body_length'::regclass) as index,
      (select array_agg(conname::text) from pg_constraint where conrelid = 'messages'::regclass
       and confrelid = 'conversations'::regclass and convalidated) as keys`);
  await sql('delete from schema_migrations where version > 900000');
  const owed = { unfilled: 0, index: true, keys: ['messages_conversation'] };
  return isDeepStrictEqual({ ...found }, owed) ? [] : [`the sample left ${JSON.stringify(found)}`];
}

async function onServer(work: string | ((client: pg.Client) => Promise<void>), database = 'postgres'): Promise<void> {
  const limits = { connectionTimeoutMillis: 60_000, statement_timeout: mostStatementMs };
  const client = new pg.Client({ ...serverConnection(), database, ...limits });
  client.on('error', () => {});
  await client.connect();
  try {
    if (typeof work === 'string') await client.query(work);
    else await work(client);
  } finally {
    await client.end();
  }
}

function judge({ failed, slowest, written }: OldProcesses): string[] {
  return [
    ...[...new Set(failed)].map((message) => `an old process was refused: ${message}`),
    ...Object.entries(slowest)
      .filter(([, ms]) => ms > mostWaitMs)
      .map(([what, ms]) => `${what}: somebody waited ${ms} ms`),
    ...(written.length === 0 ? ['nothing was written meanwhile: nothing was shown'] : []),
  ];
}

type Sql = Awaited<ReturnType<typeof createFaultEnvironment>>['sql'];

/** The service's answers, beside the rows themselves. */
async function compare(url: string, sql: Sql, messages: number): Promise<string[]> {
  const secrets = { access_token: 'token', app_secret: 'app-secret', verify_token: 'verify' };
  const applied = await callOperator(url, 'PUT', '/workspaces', {
    workspace: { name: workspaceName, country: 'OM' },
    channels: [{ type: 'chatapp', name: 'Support', phone_number_id, waba_id, ...secrets }],
    api_keys: [{ name: 'backend', environment: 'test', scopes: ['contacts:read'] }],
  });
  const api = createApi(url, applied.api_keys[0].key);
  const [rows] = await sql<Record<'messages' | 'open' | 'vip', number>>(`
    select (select count(*)::int from messages) as messages, (select count(*)::int from conversations) as open,
      (select count(*)::int from contacts where tags && array['${tags[0]}']) as vip`);
  const overview = (await api.get('/analytics/overview')).body;
  const listed = (await api.get('/tags')).body.data.find((tag: { name: string }) => tag.name === tags[0]);
  const [one] = (await api.get('/contacts?limit=1')).body.data;
  const found = (await api.get(`/contacts?q=${encodeURIComponent(one.name)}`)).body.data;
  const balance = (await api.get('/wallet')).body.balance_minor;
  const answers: [string, unknown, unknown][] = [
    ['messages', rows!.messages, messages],
    ['open conversations', overview.open, rows!.open],
    [`contacts with the tag ${tags[0]}`, listed?.count ?? listed?.contacts, rows!.vip],
    ['the balance', balance, 500_000],
    ['a contact by name', found.some(({ id }: { id: string }) => id === one.id), true],
  ];
  return answers.filter(([, seen, owed]) => seen !== owed).map(([what, seen, owed]) => `${what}: ${seen}, not ${owed}`);
}
