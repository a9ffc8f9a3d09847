import { setTimeout as pause } from 'node:timers/promises';
import { requestOperator } from '@majlis/testing/operator';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import pino from 'pino';
import { parseId, publicId } from '../server/src/database/ids.ts';
import { openPool } from '../server/src/database/pool.ts';
import { indexSettled } from '../server/src/messages/search/index-messages.ts';
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts';
import { fillMessages } from './fill-messages.ts';
import { assertAll, load } from './load.ts';
import { openLoad } from './open-load.ts';
import { print, ratio } from './print.ts';
import { sendRequest } from './sending.ts';
import type { BenchService } from './service.ts';
import { type BenchTenant, createTenants } from './tenants.ts';

const messages = 5_000_000;
const conversations = 50_000;
const clock = { now: () => new Date(), nowMs: () => Date.now() };
const perSecond = 5;
const seconds = 10;

/**
 * Searches of a workspace with 5 million messages, 5 times a second, in a database that was never analysed. The aim is a p95 of
 * 300 ms. Before, what the index costs: its bytes, its time, and what sends lose while the job fills it at full speed.
 */
export async function measureMessageSearch(share: number): Promise<void> {
  const stage = await createBenchEnvironment(seconds, { autovacuum: 'off' });
  try {
    const tenants = await createTenants(stage, 1);
    const service = await stage.start('api');
    const { workspace_id } = tenants[0]!;
    const [owner, limited] = await people(service, workspace_id);
    const assignee_id = parseId('user', limited.user_id)!;
    const size = { messages: messages * share, conversations, assignee_id };
    await fillMessages(stage.db, workspace_id, size);
    await measureIndexing(stage, tenants, service);
    for (const [who, person] of [
      ['', owner],
      [', by an agent who sees 1% of the conversations', limited],
    ] as const) {
      for (const [what, query] of searches)
        await measureSearch(stage, service, person, workspace_id, what + who, query);
    }
    await service.stop();
  } finally {
    await stage.close();
  }
}

const searches: [what: string, query: Record<string, string>][] = [
  ['the most frequent word', { q: 'aff' }],
  ['two letters', { q: 'el' }],
  ['two letters that no word begins with', { q: 'zz' }],
  ['a word that one message in 100,000 has', { q: 'lantern' }],
  ['a word that none has', { q: 'xyzzy' }],
  ['a word that one in 50 of the older half has', { q: 'winter' }],
  ['two frequent words', { q: 'ela emi' }],
  ['a frequent and a rare word', { q: 'aff lantern' }],
  ['notes with a frequent word', { q: 'aff', written_by: 'note' }],
  ['a frequent word before half a year', { q: 'aff', until: new Date(Date.now() - 183 * 86_400_000).toISOString() }],
];

async function people({ url }: BenchService, workspace_id: string): Promise<[Member, Member]> {
  const workspace = { id: publicId('workspace', workspace_id), applied: { workspace: { name: 'Bench 0' } } };
  const operator = (method: string, path: string, body?: unknown) => requestOperator(url, method, path, body);
  const owner = await joinWorkspace({ url, operator }, workspace);
  const limited = await joinWorkspace({ url, operator }, workspace, { role: 'agent' });
  await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
  return [owner, limited];
}

/** The last 100,000 messages are indexed beside sends at full speed. */
async function measureIndexing(stage: BenchEnvironment, tenants: BenchTenant[], service: BenchService): Promise<void> {
  const { db } = stage;
  const log = pino({ level: 'silent' });
  const pool = openPool({ connection: stage.connection, size: 2, statement_timeout_ms: 60_000, log });
  const next = (n: number) => sendRequest(tenants, n);
  const send = async () => {
    const result = await load({ url: service.url, connections: 16, seconds, next });
    assertAll(result, 201);
    return result.per_second;
  };
  await send();
  const alone = [await send()];
  const beside: number[] = [];
  const before_rows = await stage.count('select count(*) from message_search');
  const start = performance.now();
  const cpu = process.cpuUsage();
  const costs = stage.measureCosts(service);
  let isDone = false;
  const indexing = indexSettled(pool, clock).then(() => {
    isDone = true;
  });
  beside.push(await send());
  await indexing;
  if (!isDone) throw new Error('the job did not end');
  const spent = process.cpuUsage(cpu);
  const [, postgres_ms] = costs();
  const took_s = (performance.now() - start) / 1000;
  const added = (await stage.count('select count(*) from message_search')) - before_rows;
  alone.push(await send());
  // The job leaves the messages of the last ten seconds to the searches themselves.
  await pause(12_000);
  await indexSettled(pool, clock);
  const { rows } = await db.query(
    `select count(*)::int as count, pg_total_relation_size('message_search') as bytes,
       pg_relation_size('message_search_terms') as index_bytes
     from message_search`,
  );
  const { count, bytes, index_bytes } = rows[0];
  print('messages indexed', `${added}, ${(added / took_s).toFixed(0)}/s beside sends`);
  print(
    '  bytes of each, and of these the inverted index',
    `${Math.round(bytes / count)}, ${Math.round(index_bytes / count)}`,
  );
  print('  processor time of each, job', `${((spent.user + spent.system) / 1000 / added).toFixed(3)} ms with the load`);
  print(
    '  processor time of each, PostgreSQL',
    `${(postgres_ms / added).toFixed(3)} ms with the sends of ${seconds} s`,
  );
  const before = alone.reduce((sum, one) => sum + one) / alone.length;
  print('  sends beside the job at full speed', `${ratio(beside[0]!, before)} of without`);
  await pool.close();
}

async function measureSearch(
  stage: BenchEnvironment,
  service: BenchService,
  { cookies }: Member,
  workspace_id: string,
  what: string,
  query: Record<string, string>,
): Promise<void> {
  const path = `/console/v1/workspaces/${publicId('workspace', workspace_id)}/message-search?${new URLSearchParams(query)}`;
  const headers = {
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'sec-fetch-site': 'same-origin',
  };
  const costs = stage.measureCosts(service);
  const result = await openLoad({
    url: service.url,
    connections: 16,
    per_second: perSecond,
    seconds,
    headers,
    path: () => path,
  });
  const times = [result.p50_ms, result.p95_ms, result.slowest_ms].map((ms) => ms.toFixed(1)).join(', ');
  const spent = costs().map((ms) => (ms / (perSecond * seconds)).toFixed(1));
  print(`  ${what}: p50, p95, slowest`, `${times} ms${result.failed > 0 ? `; ${result.failed} FAILED` : ''}`);
  print('    processor time, service and PostgreSQL', `${spent.join(' and ')} ms`);
}
