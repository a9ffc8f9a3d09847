import { randomBytes } from 'node:crypto';
import { copyFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApi } from '@majlis/testing/api';
import { serverConnection } from '@majlis/testing/database';
import { askOperator, buildStage, urlOf } from '@majlis/testing/faults/build-stage';
import { makeFolder } from '@majlis/testing/start-process';
import pg from 'pg';
import pino from 'pino';
import { migrate } from '../../server/src/database/migrate.ts';
import type { Run } from '../section.ts';
import {
  eventCount,
  fillFirstVersion,
  messagesEach,
  phone_number_id,
  tags,
  waba_id,
  workspaceName,
} from './fill-first-version.ts';
import { type Busy, keepBusy } from './keep-busy.ts';

const log = pino({ level: 'silent' });
const migrations = fileURLToPath(new URL('../../server/src/database/migrations/', import.meta.url));
/** How long a statement of those who go on may have to wait. */
const mostWaitMs = 5_000;

/**
 * A database of the first version, filled, is brought to this one while old processes read and write: nobody waits for
 * long, no row is lost, and what the new version keeps of the old rows agrees with them.
 */
export async function proveUpgrade({ seed, count, say }: Run): Promise<string[]> {
  const name = `majlis_upgrade_${randomBytes(6).toString('hex')}`;
  const connection = { ...serverConnection(), database: name };
  await onServer(`create database ${name}`);
  try {
    const [first, ...later] = (await readdir(migrations)).filter((file) => file.endsWith('.sql')).sort();
    const folder = await makeFolder();
    const bring = async (file: string) => {
      await copyFile(path.join(migrations, file), path.join(folder, file));
      await migrate(connection, log, { directory: folder });
    };
    await bring(first!);
    await onServer((client) => fillFirstVersion(client, count), name);
    const busy = await keepBusy(connection);
    const waits: string[] = [];
    const from = performance.now();
    // One after the other, so that the longest wait is known by its migration.
    for (const file of later) {
      const before = { ...busy.slowest };
      await bring(file);
      if (busy.slowest.reading_ms > before.reading_ms) waits.push(`${file} ${busy.slowest.reading_ms} ms`);
    }
    const took_ms = Math.round(performance.now() - from);
    await busy.stop();
    say(`${count} contacts, ${count * messagesEach} messages: ${later.length} migrations in ${took_ms} ms`);
    say(
      `meanwhile ${busy.written.length} messages were written, with ${busy.deadlocks} deadlocks that were tried again`,
    );
    say(`the longest waits: ${JSON.stringify(busy.slowest)}; of readers by then: ${waits.join(', ')}`);
    const stage = await buildStage({ seed, database: { url: urlOf(connection), connection } });
    const majlis = await stage.majlis();
    await majlis.start();
    const faults = [
      ...judge(busy),
      ...(await compare(majlis.url, stage.sql, count * messagesEach + busy.written.length)),
    ];
    await majlis.kill();
    return faults;
  } finally {
    await onServer(`drop database ${name} with (force)`);
  }
}

async function onServer(work: string | ((client: pg.Client) => Promise<void>), database = 'postgres'): Promise<void> {
  const client = new pg.Client({ ...serverConnection(), database });
  client.on('error', () => {});
  await client.connect();
  try {
    if (typeof work === 'string') await client.query(work);
    else await work(client);
  } finally {
    await client.end();
  }
}

function judge({ failed, slowest, written }: Busy): string[] {
  return [
    ...[...new Set(failed)].map((message) => `an old process was refused: ${message}`),
    ...Object.entries(slowest)
      .filter(([, ms]) => ms > mostWaitMs)
      .map(([what, ms]) => `${what}: somebody waited ${ms} ms`),
    ...(written.length === 0 ? ['nothing was written meanwhile: nothing was shown'] : []),
  ];
}

type Sql = Awaited<ReturnType<typeof buildStage>>['sql'];

/** What the service tells of the old rows, beside what the rows say themselves. */
async function compare(url: string, sql: Sql, messages: number): Promise<string[]> {
  const secrets = { access_token: 'token', app_secret: 'app-secret', verify_token: 'verify' };
  const applied = await askOperator(url, 'PUT', '/workspaces', {
    workspace: { name: workspaceName, country: 'OM' },
    channels: [{ type: 'chatapp', name: 'Support', phone_number_id, waba_id, ...secrets }],
    api_keys: [{ name: 'backend', environment: 'test', scopes: ['contacts:read'] }],
  });
  const api = createApi(url, applied.api_keys[0].key);
  const [rows] = await sql<Record<'messages' | 'open' | 'unreplied' | 'vip' | 'balance', number>>(`
    select (select count(*)::int from messages) as messages, (select count(*)::int from conversations) as open,
      (select count(*)::int from conversations
       where is_unreplied(last_customer_message_id, last_business_message_id)) as unreplied,
      (select count(*)::int from contacts where tags && array['${tags[0]}']) as vip,
      (select balance_minor::int from wallets) as balance`);
  const overview = (await api.get('/analytics/overview')).body;
  const listed = (await api.get('/tags')).body.data.find((tag: { name: string }) => tag.name === tags[0]);
  const [one] = (await api.get('/contacts?limit=1')).body.data;
  const found = (await api.get(`/contacts?q=${encodeURIComponent(one.name)}`)).body.data;
  const balance = (await api.get('/wallet')).body.balance_minor;
  const told: [string, unknown, unknown][] = [
    ['messages', rows!.messages, messages],
    ['open conversations', overview.open, rows!.open],
    ['unreplied conversations', overview.unreplied, rows!.unreplied],
    ...Object.entries(await countUnfilled(sql)).map(([what, n]): [string, unknown, unknown] => [what, n, 0]),
    [`contacts with the tag ${tags[0]}`, listed?.count ?? listed?.contacts, rows!.vip],
    ['the balance', balance, 500_000],
    ['a contact by name', found.some(({ id }: { id: string }) => id === one.id), true],
  ];
  return told.filter(([, seen, owed]) => seen !== owed).map(([what, seen, owed]) => `${what}: ${seen}, not ${owed}`);
}

/** Rows that were there before, of which the new version keeps something else than they say. */
async function countUnfilled(sql: Sql): Promise<Record<string, number>> {
  const [counts] = await sql<Record<string, number>>(`
    select
      -- The first version does not know whose turn it is, where it wrote meanwhile.
      (select count(*)::int from conversations c cross join lateral (
         select (array_agg(m.id order by m.id desc) filter (where m.direction = 'inbound'))[1] as customer,
           (array_agg(m.id order by m.id desc) filter (where m.direction = 'outbound'))[1] as business,
           min(m.created_at) filter (where m.direction = 'inbound') as customer_at, bool_or(m.body = 'Meanwhile') as is_new
         from messages m where m.workspace_id = c.workspace_id and m.conversation_id = c.id) m
       where not m.is_new and (c.last_customer_message_id, c.last_business_message_id, c.first_customer_at)
         is distinct from (m.customer, m.business, m.customer_at)) as "turns that are wrong",
      (select count(*)::int from conversations c join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
       where (c.contact_name, c.contact_name_folded, c.contact_tags)
         is distinct from (k.name, k.name_folded, k.tags)) as "contacts told wrongly",
      (select count(*)::int from contacts k where not exists (select from contact_search s
         where s.workspace_id = k.workspace_id and s.contact_id = k.id
           and (s.active_from, s.active_until) = (active_from(k.last_activity_at, k.created_at),
             active_until(k.last_activity_at, k.created_at))
           and s.channel_types[1] = week_mark(week_of(s.active_from)))) as "contacts that no search finds where they stand",
      (select count(*)::int from conversations c where not exists (select from conversation_search s
         where s.workspace_id = c.workspace_id and s.conversation_id = c.id
           and (s.name, s.tags) = (coalesce(c.contact_name_folded, ''), conversation_terms(
             c.contact_tags, c.status, c.assignee_id, c.stage_id, c.channel_type, s.active_from))
           and c.last_message_at >= s.active_from and c.last_message_at < s.active_until))
        as "conversations that no search finds where they stand",
      ${eventCount} - (select count(*)::int from events where type = 'message.received' and conversation_id = id)
        as "events of no conversation",
      ${eventCount} - (select count(*)::int from idempotency_keys where conversation_id = key::uuid) as "answers of no conversation"`);
  return counts!;
}
