import pino from 'pino';
import { openPool } from '../server/src/database/pool.ts';
import { makeTemplates } from './broadcasts.ts';
import type { BenchEnvironment } from './environment.ts';
import { assertAll, type LoadRequest, load } from './load.ts';
import { print, ratio } from './print.ts';
import type { BenchService } from './service.ts';
import { type BenchTenant, customerNumber } from './tenants.ts';

const connections = 16;
const turns = 10;
const warmSeconds = 4;
let newest = 0;

/**
 * The same template sent to known and to new customers, in turns, in a closed loop by an API alone. The processor time is
 * that of the service and PostgreSQL together at 16 connections; the latency is that of one client.
 */
export async function measureNewCustomers(stage: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  await makeTemplates(stage.db);
  const api = await stage.start('api');
  const known = (n: number) => sendTemplate(tenants, n, customerNumber(n * 7919));
  const fresh = (n: number) => sendTemplate(tenants, n, String(96_872_000_000 + newest++));
  for (const next of [known, fresh]) await load({ url: api.url, connections, seconds: warmSeconds, next });

  const costs = await inTurns([known, fresh], (next) => costOf(stage, api, next));
  print('a send to a known customer, 16 connections: processor time', `${costs[0]!.toFixed(3)} ms`);
  print('  to a new one', `${costs[1]!.toFixed(3)} ms, ${ratio(costs[1]!, costs[0]!)} of it`);

  const alone = async (next: (n: number) => LoadRequest) => {
    const result = await load({ url: api.url, connections: 1, seconds: stage.seconds / turns, next });
    assertAll(result, 201);
    return result.p50_ms;
  };
  const floor = await openFloor(stage);
  const [floor_ms, known_ms, new_ms] = await inTurns(
    [() => floor.measure(stage.seconds / turns), () => alone(known), () => alone(fresh)],
    (measure) => measure(),
  );
  await floor.close();
  await api.stop();
  print('begin, insert, update, commit, one after the other: p50', `${floor_ms!.toFixed(2)} ms`);
  print('  one send alone to a known customer', `${known_ms!.toFixed(2)} ms, ${ratio(known_ms!, floor_ms!)} of it`);
  print('  to a new one', `${new_ms!.toFixed(2)} ms, ${ratio(new_ms!, floor_ms!)} of it`);
}

/** The median of each over all turns. */
async function inTurns<One>(ones: One[], measure: (one: One) => Promise<number>): Promise<number[]> {
  const figures: number[][] = ones.map(() => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, one] of ones.entries()) figures[index]!.push(await measure(one));
  }
  return figures.map((all) => all.sort((a, b) => a - b)[turns >> 1]!);
}

async function costOf(stage: BenchEnvironment, api: BenchService, next: (n: number) => LoadRequest): Promise<number> {
  const costs = stage.measureCosts(api);
  const result = await load({ url: api.url, connections, seconds: stage.seconds / turns, next });
  assertAll(result, 201);
  const [service_ms, postgres_ms] = costs();
  return (service_ms + postgres_ms) / result.requests;
}

/** The shortest transaction that writes like a send, on a pool like the service's. */
async function openFloor({ connection, db }: BenchEnvironment) {
  const pool = openPool({ connection, size: 1, statement_timeout_ms: 10_000, log: pino({ level: 'silent' }) });
  await db.query('create table bench_floor (id integer primary key, at timestamptz)');
  await db.query('create table bench_floor_rows (id bigint generated always as identity primary key, body text)');
  await db.query('insert into bench_floor values (1, now())');
  const statements = [
    { name: 'floor begin', text: 'begin' },
    { name: 'floor insert', text: `insert into bench_floor_rows (body) values ('Your order is ready.')` },
    { name: 'floor update', text: 'update bench_floor set at = now() where id = 1' },
    { name: 'floor commit', text: 'commit' },
  ];
  return {
    async measure(seconds: number): Promise<number> {
      const times: number[] = [];
      const end = performance.now() + seconds * 1000;
      while (performance.now() < end) {
        const from = performance.now();
        const client = await pool.pg.connect();
        for (const statement of statements) await client.query(statement);
        client.release();
        times.push(performance.now() - from);
      }
      return times.sort((a, b) => a - b)[times.length >> 1]!;
    },
    close: () => pool.close(),
  };
}

function sendTemplate(tenants: BenchTenant[], n: number, number: string): LoadRequest {
  return {
    method: 'POST',
    path: '/v1/messages',
    headers: { authorization: `Bearer ${tenants[n % tenants.length]!.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: `+${number}`, kind: 'template', template: { name: 'ready', language: 'en' } }),
  };
}
