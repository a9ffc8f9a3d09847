import type pg from 'pg';
import { publicId } from '../server/src/database/ids.ts';
import type { BenchEnvironment } from './environment.ts';
import { type LoadRequest, type LoadResult, load } from './load.ts';
import { print, printMemory } from './print.ts';
import type { BenchService } from './service.ts';
import { type BenchTenant, contactsPerTenant } from './tenants.ts';

const connections = 16;
const importRows = 1_000;
const sizes = [20_000, 200_000];
const messagesEach = 5;
// A kind of list that nobody asked for before is slower at first, while V8 compiles what it takes: once in a process's life.
// Those seconds have a figure of their own.
const warmingSeconds = 2;
// By turns, so that of sixteen who wait no two ask for the same, and share an answer; a page of 25 is one in the middle.
const pageSizes = Array.from({ length: connections }, (_, n) => 18 + n);
// The cores are shared with strangers: one turn says how they were, several say how the list is.
const turns = 3;

/**
 * What agents do all day, in one large workspace among smaller ones: lists with every filter, search, a page of
 * messages, the overview. Each at two sizes, tenfold apart: what grows with the tables shows. Lists are asked for as agents
 * do who look at different things, and as those of a team do who have the same inbox open.
 */
export async function measureInbox(stage: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const service = await stage.start('api');
  const tenant = tenants[0]!;
  await makePeople(stage.db, tenant);
  await spreadActivity(stage.db, tenant);
  let contacts = 0;
  for (const size of sizes) {
    await importContacts(service, tenant, contacts, size);
    contacts = size;
    await makeHistory(stage.db, tenant);
    print('one workspace holds', `${size} contacts and conversations, ${size * messagesEach} messages`);
    await measureFloors(stage, tenant);
    for (const asked of await requestsOf(stage.db, tenant)) await measurePaths(stage, service, tenant, asked);
  }
  for (const asked of (await listsOf(stage.db, tenant)).map(byAll)) await measurePaths(stage, service, tenant, asked);
  await stage.db.query(
    'update conversations set last_message_at = now() where workspace_id = $1 and contact_name is null',
    [tenant.workspace_id],
  );
  // A worker would do it within ten seconds; here is none.
  print('now the latest are', `${contactsPerTenant} without name and tags: whoever searches walks past them`);
  for (const asked of frequent) await measurePaths(stage, service, tenant, asked);
  printMemory(service);
  await service.stop();
}

const firstNames = [
  'أحمد',
  'محمد',
  'فاطمة',
  'عائشة',
  'إبراهيم',
  'سُلَيمان',
  'Omar',
  'Muna',
  'Ravi',
  'Sara',
  'Noor',
  'Zaid',
];
// By the place of 150: what one in 150 and one in 50 is called.
const oftenNames: Record<number, string> = { 75: 'يوسف', 2: 'ليلى', 52: 'ليلى', 102: 'ليلى' };
const lastNames = ['الحارثي', 'البلوشي', 'الهنائي', 'العامري', 'Al Said', 'Khan', 'Haddad', 'Perera', 'Nair', 'Smith'];

/** Imports until the workspace has `size` contacts; each call as large as it may be. */
async function importContacts(service: BenchService, { key }: BenchTenant, from: number, size: number): Promise<void> {
  const times: number[] = [];
  for (let first = from; first < size; first += importRows) {
    const contacts = Array.from({ length: importRows }, (_, index) => contactOf(first + index));
    const start = performance.now();
    const answer = await fetch(`${service.url}/v1/contacts/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ contacts }),
    });
    const { created, failed } = (await answer.json()) as { created: number; failed: object[] };
    times.push(performance.now() - start);
    if (created !== importRows) throw new Error(`${created} of ${importRows} were imported: ${JSON.stringify(failed)}`);
  }
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1]!.toFixed(0);
  print(`import of ${importRows} new contacts: p50, slowest`, `${median} ms, ${times.at(-1)!.toFixed(0)} ms`);
}

/**
 * What is rare is so at both sizes: a page of the same matches, among ten times as many others. What one in 50 to 150 has
 * costs most: too far apart for a walk, and many for the index of terms.
 */
function contactOf(n: number): object {
  const first = firstNames[n % firstNames.length]!;
  const isFirst = n < sizes[0]!;
  const place = (n * 7_919) % 150;
  const last = lastNames[Math.floor(n / firstNames.length) % lastNames.length]!;
  return {
    name: isFirst && n % 997 === 0 ? `زينب ${last}` : `${oftenNames[place] ?? first} ${last} ${n}`,
    identities: [{ channel_type: 'chatapp', identifier: `+9687${String(1_000_000 + n)}` }],
    email: `${n}@customers.example`,
    tags: [
      ...(n % 2 ? ['customer'] : []),
      ...(isFirst && n % 500 === 0 ? ['rare'] : []),
      ...(place === 0 ? ['one in 150'] : []),
      ...(place % 50 === 1 ? ['one in 50'] : []),
    ],
  };
}

async function makePeople(db: pg.Pool, { workspace_id }: BenchTenant): Promise<void> {
  await db.query(
    `insert into users (workspace_id, id, name, email, role, created_at)
     select $1, gen_random_uuid(), 'Agent ' || n, n || '@bench.example', 'agent', now() from generate_series(1, 20) n`,
    [workspace_id],
  );
  await db.query(
    `insert into stages (workspace_id, id, name, position)
     select $1, gen_random_uuid(), 'Stage ' || n, n from generate_series(1, 6) n`,
    [workspace_id],
  );
}

/** Those who were there before, without a name, wrote in the same year. */
async function spreadActivity(db: pg.Pool, { workspace_id }: BenchTenant): Promise<void> {
  await db.query(
    `update conversations set last_message_at = now() - random() * interval '360 days' where workspace_id = $1`,
    [workspace_id],
  );
}

/** A conversation for each contact that has none, and its messages; activity spread over a year, of the contact too. */
async function makeHistory(db: pg.Pool, { workspace_id }: BenchTenant): Promise<void> {
  await db.query(
    `insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, identifier, status, stage_id,
       assignee_id, last_customer_at, last_message_at, window_expires_at, created_at)
     select c.workspace_id, gen_random_uuid(), c.id, ch.id, 'chatapp',
       (select identifier from contact_identities i where i.workspace_id = c.workspace_id and i.contact_id = c.id limit 1),
       case when random() < 0.1 then 'open' else 'closed' end,
       case when random() < 0.5 then stages.ids[1 + floor(random() * 6)::int] end,
       case when random() < 0.7 then users.ids[1 + floor(random() * 20)::int] end,
       a.at, a.at, a.at + interval '1 day', a.at - interval '1 hour'
     from (select *, now() - random() * interval '360 days' as at from contacts) a
     join contacts c using (workspace_id, id)
     join channels ch using (workspace_id),
       (select array_agg(id) as ids from stages where workspace_id = $1) stages,
       (select array_agg(id) as ids from users where workspace_id = $1) users
     where c.workspace_id = $1
       and not exists (select from conversations o where o.workspace_id = c.workspace_id and o.contact_id = c.id)`,
    [workspace_id],
  );
  await db.query(
    `insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, status, created_at)
     select c.workspace_id, gen_random_uuid(), c.id, c.channel_id, d.direction, 'text',
       'Is it in stock in Muscat, and when could I fetch it?', d.status, c.last_message_at
     from conversations c, generate_series(1, $2) n,
       lateral (select case when n % 2 = 1 then 'inbound' else 'outbound' end as direction,
                       case when n % 2 = 0 then 'read' end as status) d
     where c.workspace_id = $1
       and not exists (select from messages o where o.workspace_id = c.workspace_id and o.conversation_id = c.id)`,
    [workspace_id, messagesEach],
  );
  await db.query(
    `update contacts c set last_activity_at = o.last_message_at from conversations o
     where c.workspace_id = $1 and o.workspace_id = c.workspace_id and o.contact_id = c.id and c.last_activity_at is null`,
    [workspace_id],
  );
  await db.query('vacuum analyze');
}

/** Paths to ask for, by turns. */
interface Requests {
  what: string;
  paths: string[];
}

const pagesOf = (what: string, path: string, query: Record<string, string>): Requests => ({
  what,
  paths: pageSizes.map((size) => `${path}?${new URLSearchParams({ ...query, limit: `${size}` })}`),
});
const byAll = ({ what, paths }: Requests): Requests => ({
  what: `${what}, the same by all`,
  paths: [paths[pageSizes.indexOf(25)]!],
});
const list = (what: string, query: Record<string, string>) =>
  pagesOf(`conversations, ${what}`, '/v1/conversations', query);
const search = (what: string, query: Record<string, string>) => pagesOf(`contacts, ${what}`, '/v1/contacts', query);
const frequent = [
  list('with a frequent tag', { tag: 'customer' }),
  list('by a frequent name, spelled otherwise', { q: 'احمد' }),
];

/** Everything that is asked for. */
async function requestsOf(db: pg.Pool, tenant: BenchTenant): Promise<Requests[]> {
  const contacts = await someIds(db, tenant, 'contacts', 250);
  const conversations = await someIds(db, tenant, 'conversations', 250);
  return [
    ...(await listsOf(db, tenant)),
    {
      what: 'conversations, of a contact',
      paths: contacts.map((id) => `/v1/conversations?contact_id=${publicId('contact', id)}`),
    },
    {
      what: 'a page of messages',
      paths: conversations.map((id) => `/v1/conversations/${publicId('conversation', id)}/messages`),
    },
    { what: 'overview, the same by all', paths: ['/v1/analytics/overview'] },
  ];
}

async function listsOf(db: pg.Pool, tenant: BenchTenant): Promise<Requests[]> {
  const [user] = await someIds(db, tenant, 'users', 1);
  const [stage] = await someIds(db, tenant, 'stages', 1);
  return [
    list('all', {}),
    list('open', { status: 'open' }),
    list('open and of nobody', { status: 'open', assignee_id: 'none' }),
    list('of one agent', { assignee_id: publicId('user', user!) }),
    list('open of one agent at one stage', {
      status: 'open',
      assignee_id: publicId('user', user!),
      stage_id: publicId('stage', stage!),
    }),
    ...frequent,
    list('with a rare tag', { tag: 'rare' }),
    list('with a tag that one in 50 has', { tag: 'one in 50' }),
    list('with a tag that one in 150 has', { tag: 'one in 150' }),
    list('with a tag that nobody has', { tag: 'nobody' }),
    list('open with a tag that one in 50 has', { status: 'open', tag: 'one in 50' }),
    list('open with a tag that one in 150 has', { status: 'open', tag: 'one in 150' }),
    list('of one agent with a tag that one in 150 has', { assignee_id: publicId('user', user!), tag: 'one in 150' }),
    list('by a rare name', { q: 'زينب' }),
    list('by a name that one in 50 has', { q: 'ليلي' }),
    list('by a name that one in 150 has', { q: 'یوسف' }),
    list('closed, by a name that one in 150 has', { status: 'closed', q: 'یوسف' }),
    list('by a name that nobody has', { q: 'xyzzy' }),
    search('all', {}),
    search('by a frequent name, spelled otherwise', { q: 'احمد' }),
    search('by a rare name', { q: 'زينب' }),
    search('by a name that one in 50 has', { q: 'ليلي' }),
    search('by a name that one in 150 has', { q: 'یوسف' }),
    search('by two letters', { q: 'مد' }),
    search('by two letters that nobody has', { q: 'qq' }),
    search('by a name that nobody has', { q: 'xyzzy' }),
    search('by a part of a number', { q: '7100404' }),
    search('by an e-mail address', { q: '777@customers' }),
    search('with a rare tag', { tag: 'rare' }),
    search('with a tag that one in 50 has', { tag: 'one in 50' }),
    search('with a tag that one in 150 has', { tag: 'one in 150' }),
  ];
}

async function someIds(db: pg.Pool, { workspace_id }: BenchTenant, table: string, most: number): Promise<string[]> {
  const text = `select id from ${table} where workspace_id = $1 order by random() limit $2`;
  return (await db.query(text, [workspace_id, most])).rows.map((row) => row.id as string);
}

async function measurePaths(
  stage: BenchEnvironment,
  service: BenchService,
  { key }: BenchTenant,
  { what, paths }: Requests,
): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const next = (n: number): LoadRequest => ({ method: 'GET', path: paths[n % paths.length]!, headers });
  const seconds = Math.min(stage.seconds, 2);
  const first = await load({ url: service.url, connections, seconds: warmingSeconds, next });
  const results: LoadResult[] = [];
  for (let turn = 0; turn < turns; turn++) {
    results.push(await load({ url: service.url, connections, seconds, next }));
  }
  const failed = results.flatMap(({ statuses }) => Object.keys(statuses)).filter((status) => status !== '200');
  if (failed.length > 0) return print(`  ${what}`, `answered ${failed}`);
  results.sort((a, b) => a.p99_ms - b.p99_ms);
  const { p50_ms, p99_ms, per_second } = results[turns >> 1]!;
  const range = `${results[0]!.p99_ms.toFixed(1)} to ${results.at(-1)!.p99_ms.toFixed(1)}`;
  const figure = `${p50_ms.toFixed(1)} ms, ${p99_ms.toFixed(1)} ms (${range}); ${per_second.toFixed(0)}/s; p99 at first ${first.p99_ms.toFixed(1)} ms`;
  print(`  ${what}: p50, p99`, figure);
}

/** The same rows by plain SQL from as many connections, without filter. */
async function measureFloors({ db, seconds }: BenchEnvironment, { workspace_id }: BenchTenant): Promise<void> {
  const floors = {
    conversations: `
      select c.*, ct.name, ct.tags
      from (select * from conversations where workspace_id = $1 order by id desc limit 25) c
      join contacts ct on ct.workspace_id = c.workspace_id and ct.id = c.contact_id`,
    contacts: `select * from contacts where workspace_id = $1 order by id desc limit 25`,
    overview: `select status, count(*) from conversations where workspace_id = $1 group by 1`,
  };
  for (const [what, text] of Object.entries(floors)) {
    const times: number[] = [];
    const end = performance.now() + Math.min(seconds, 3) * 1000;
    const ask = async () => {
      while (performance.now() < end) {
        const start = performance.now();
        await db.query({ name: `floor ${what}`, text, values: [workspace_id] });
        times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: connections }, ask));
    times.sort((a, b) => a - b);
    const at = (q: number) => times[Math.floor(times.length * q)]!.toFixed(1);
    print(`  floor: ${what} by plain SQL: p50, p99`, `${at(0.5)} ms, ${at(0.99)} ms`);
  }
}
