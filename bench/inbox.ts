import type pg from 'pg';
import { publicId } from '../server/src/database/ids.ts';
import type { BenchEnvironment } from './environment.ts';
import { fillContacts, fillConversations, fillPeople } from './fill-inbox.ts';
import { openLoad } from './open-load.ts';
import { print, printMemory } from './print.ts';
import type { BenchService } from './service.ts';
import type { BenchTenant } from './tenants.ts';

const connections = 16;
const perSecond = 100;
const contacts = 200_000;
const imported = 50_000;

/**
 * The lists and searches of one large workspace, asked 100 times a second: of a database that grew and was never analysed, of an
 * analysed one, after everything was active on one day, and after an import. The aim is a p99 of 30 ms.
 */
export async function measureInbox(stage: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const { db } = stage;
  const tenant = tenants[0]!;
  const { workspace_id } = tenant;
  await fillPeople(db, workspace_id);
  await fillContacts(db, workspace_id, contacts);
  await fillConversations(db, workspace_id, 360);
  const service = await stage.start('api');
  const lists = await listsOf(db, tenant);
  const measure = async (state: string) => {
    print('one workspace of', `${contacts} contacts and conversations, ${state}`);
    for (const [what, paths] of lists) await measureList(stage, service, tenant, what, paths);
  };
  await measure('as it grew');
  await db.query('vacuum analyze');
  await measure('analysed');
  for (const [table, column] of [
    ['conversations', 'last_message_at'],
    ['contacts', 'last_activity_at'],
  ]) {
    await db.query(`update ${table} set ${column} = now() - random() * interval '1 day' where workspace_id = $1`, [
      workspace_id,
    ]);
  }
  await measure('all active on one day');
  await fillContacts(db, workspace_id, imported, contacts);
  await measure(`with ${imported} imported`);
  printMemory(service);
  await service.stop();
}

type List = [what: string, paths: string[]];

const list = (what: string, query: Record<string, string>): List => [
  `conversations, ${what}`,
  [`/v1/conversations?${new URLSearchParams(query)}`],
];
const search = (what: string, query: Record<string, string>): List => [
  `contacts, ${what}`,
  [`/v1/contacts?${new URLSearchParams(query)}`],
];

async function listsOf(db: pg.Pool, tenant: BenchTenant): Promise<List[]> {
  const [user] = await someIds(db, tenant, 'users', 1);
  const [stage] = await someIds(db, tenant, 'stages', 1);
  const assignee_id = publicId('user', user!);
  const conversations = await someIds(db, tenant, 'conversations', 250);
  return [
    list('all', {}),
    list('open', { status: 'open' }),
    list('open and of nobody', { status: 'open', assignee_id: 'none' }),
    list('of one agent', { assignee_id }),
    list('open of one agent at one stage', { status: 'open', assignee_id, stage_id: publicId('stage', stage!) }),
    list('with a frequent tag', { tag: 'customer' }),
    list('by a frequent name, spelled otherwise', { q: 'احمد' }),
    list('with a rare tag', { tag: 'rare' }),
    list('with a tag that one in 50 has', { tag: 'one in 50' }),
    list('with a tag that one in 150 has', { tag: 'one in 150' }),
    list('with a tag that nobody has', { tag: 'nobody' }),
    list('open with a tag that one in 150 has', { status: 'open', tag: 'one in 150' }),
    list('of one agent with a tag that one in 150 has', { assignee_id, tag: 'one in 150' }),
    list('by a rare name', { q: 'زينب' }),
    list('by a name that one in 150 has', { q: 'یوسف' }),
    list('by a name that nobody has', { q: 'xyzzy' }),
    search('all', {}),
    search('by a frequent name, spelled otherwise', { q: 'احمد' }),
    search('by a rare name', { q: 'زينب' }),
    search('by a name that one in 50 has', { q: 'ليلي' }),
    search('by a name that one in 150 has', { q: 'یوسف' }),
    search('by two letters', { q: 'مد' }),
    search('by two letters that nobody has', { q: 'qq' }),
    search('by a letter that nobody has', { q: 'ж' }),
    search('by a part of a number', { q: '7100404' }),
    search('by a number', { q: '+96871004040' }),
    search('by an e-mail address', { q: '777@customers' }),
    search('with a rare tag', { tag: 'rare' }),
    search('with a tag that one in 150 has', { tag: 'one in 150' }),
    search('with a frequent tag and a name that one in 150 has', { tag: 'customer', q: 'یوسف' }),
    ['a page of messages', conversations.map((id) => `/v1/conversations/${publicId('conversation', id)}/messages`)],
    ['overview', ['/v1/analytics/overview']],
  ];
}

async function someIds(db: pg.Pool, { workspace_id }: BenchTenant, table: string, most: number): Promise<string[]> {
  const text = `select id from ${table} where workspace_id = $1 order by random() limit $2`;
  return (await db.query(text, [workspace_id, most])).rows.map((row) => row.id as string);
}

async function measureList(
  stage: BenchEnvironment,
  service: BenchService,
  { key }: BenchTenant,
  what: string,
  paths: string[],
) {
  const { p50_ms, p99_ms, slowest_ms, failed } = await openLoad({
    ...{ url: service.url, connections, per_second: perSecond, seconds: Math.min(stage.seconds, 10) },
    headers: { authorization: `Bearer ${key}` },
    path: (n) => paths[n % paths.length]!,
  });
  const times = [p50_ms, p99_ms, slowest_ms].map((ms) => ms.toFixed(1)).join(', ');
  print(`  ${what}: p50, p99, slowest`, `${times} ms${failed > 0 ? `; ${failed} FAILED` : ''}`);
}
