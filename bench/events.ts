import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { EventType } from '@majlis/contract';
import { createApi } from '@majlis/testing/api';
import pino from 'pino';
import { Pool } from 'undici';
import { openPool } from '../server/src/database/pool.ts';
import { transaction } from '../server/src/database/transaction.ts';
import { deliverEvent } from '../server/src/events/delivery-job.ts';
import { recordEvents } from '../server/src/events/record-events.ts';
import { notifyWorkers } from '../server/src/jobs/notify-workers.ts';
import { type Clock, startClock } from '../server/src/process/clock.ts';
import type { BenchEnvironment } from './environment.ts';
import { assertAll, load } from './load.ts';
import { print, printCosts, printMemory, ratio } from './print.ts';
import { sendRequest } from './sending.ts';
import type { BenchTenant } from './tenants.ts';

export const receivers = 50;
export const firstPort = 28_200;
const workspaces = 5;
const deliveries = 40_000;
const waitingEvents = 100_000;
// The concurrency of a worker.
const concurrency = 512;

/** Deliveries to 50 receivers, as a ratio to bare posts of the same bytes; what a dead endpoint's backlog costs the sends. */
export async function measureEvents(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const process = fork('bench/receivers.ts', [String(firstPort), String(receivers)]);
  await once(process, 'message');
  try {
    await withRecorder(environment, async (record, clock) => {
      await measureDeliveries(environment, tenants, record);
      await measureIsolation(environment, tenants, record, clock);
      await measureBacklog(environment, tenants, record);
    });
  } finally {
    process.kill();
    await environment.db.query('truncate events, webhook_attempts, jobs');
    await environment.db.query(`update webhook_endpoints set deleted_at = now(), enabled = false`);
  }
}

async function measureDeliveries(
  environment: BenchEnvironment,
  tenants: BenchTenant[],
  record: RecordEvents,
): Promise<void> {
  const api = await environment.start('api');
  for (let n = 0; n < receivers; n++) await register(api.url, tenants[n % workspaces]!, firstPort + n);
  await api.stop();
  const { rows } = await environment.db.query('select distinct workspace_id from webhook_endpoints order by 1');
  for (const { workspace_id } of rows) await record(workspace_id, deliveries / receivers);
  const due = await environment.jobsOf(deliverEvent);
  const floor = await measureFloor(environment);
  print(`floor: bare posts of the same bytes, ${concurrency} at once`, `${floor.toFixed(0)}/s`);
  const service = await environment.start('worker');
  const costs = environment.measureCosts(service);
  const before = await environment.jobsOf(deliverEvent);
  const from = performance.now();
  await environment.untilNoJobs(deliverEvent);
  const rate = before / ((performance.now() - from) / 1000);
  const recorded = await environment.count('select count(*) from webhook_attempts where response_status = 200');
  if (recorded !== due) throw new Error(`${due} deliveries were due and ${recorded} recorded`);
  print(`events delivered to ${receivers} receivers`, `${rate.toFixed(0)}/s, ${ratio(rate, floor)} of the floor`);
  printCosts(costs(), before);
  printMemory(service);
  await service.stop();
}

/** Posts the stored envelopes by undici alone, with as many connections to each receiver. */
async function measureFloor({ db, seconds }: BenchEnvironment): Promise<number> {
  const { rows } = await db.query(`select payload from events where type = 'message.received' limit 1000`);
  const connections = Math.ceil(concurrency / receivers);
  const pools = Array.from(
    { length: receivers },
    (_, n) => new Pool(`http://127.0.0.1:${firstPort + n}`, { connections }),
  );
  const headers = { 'content-type': 'application/json', 'service-signature': `t=1795168800,v1=${'0'.repeat(64)}` };
  const end = performance.now() + seconds * 1000;
  let posted = 0;
  async function keepPosting(): Promise<void> {
    while (performance.now() < end) {
      const n = posted++;
      const body = rows[n % rows.length].payload;
      const answer = await pools[n % receivers]!.request({ method: 'POST', path: '/events', headers, body });
      await answer.body.dump();
    }
  }
  await Promise.all(Array.from({ length: concurrency }, keepPosting));
  await Promise.all(pools.map((pool) => pool.close()));
  return posted / seconds;
}

/** Sends that are accepted with dispatch in the same process, without and with 100,000 events waiting for a dead endpoint. */
async function measureBacklog(
  environment: BenchEnvironment,
  tenants: BenchTenant[],
  record: RecordEvents,
): Promise<void> {
  const api = await environment.start('api');
  await environment.db.query('update webhook_endpoints set deleted_at = now(), enabled = false');
  await environment.db.query('delete from jobs where kind = $1', [deliverEvent]);
  await api.stop();
  const before = await accept(environment, tenants);
  await registerDead(environment, tenants[0]!);
  const { workspace_id } = (await environment.db.query('select workspace_id from webhook_endpoints where enabled'))
    .rows[0];
  await record(workspace_id, waitingEvents);
  await environment.db.query('vacuum analyze jobs, webhook_attempts, events');
  const behind = await accept(environment, tenants);
  const left = await environment.jobsOf(deliverEvent);
  await environment.db.query(`delete from jobs where kind = $1`, [deliverEvent]);
  const after = await accept(environment, tenants);
  const alone = (before + after) / 2;
  print('accepted sends with nothing waiting', `${alone.toFixed(0)}/s`);
  print(
    `accepted sends with ${left} deliveries waiting for a dead endpoint`,
    `${behind.toFixed(0)}/s, ${ratio(behind, alone)}`,
  );
}

async function accept(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<number> {
  const service = await environment.start('api,worker');
  const { url } = service;
  const next = (n: number) => sendRequest(tenants, n);
  await load({ url, connections: 64, seconds: 2, next });
  const result = await load({ url, connections: 64, seconds: environment.seconds, next });
  assertAll(result, 201);
  await service.stop();
  return result.per_second;
}

/** How long events take to reach 98 receivers, without and with one that hangs, one that drips and what waits for them. */
async function measureIsolation(
  environment: BenchEnvironment,
  [tenant, other]: BenchTenant[],
  record: RecordEvents,
  clock: Clock,
): Promise<void> {
  const api = await environment.start('api');
  await environment.db.query('update webhook_endpoints set deleted_at = now(), enabled = false');
  for (let n = 0; n < 98; n++) {
    await register(api.url, n % 2 ? tenant! : other!, firstPort + (n % receivers), '/events', ['message.received']);
  }
  const { rows } = await environment.db.query(
    'select distinct workspace_id from webhook_endpoints where deleted_at is null',
  );
  const ids: string[] = rows.map(({ workspace_id }) => workspace_id);
  await api.stop();
  const alone = await measureLatency(environment, ids, record, clock);
  const again = await environment.start('api');
  for (const path of ['/hang', '/drip']) await register(again.url, tenant!, firstPort, path, ['*']);
  await again.stop();
  const { workspace_id } = (
    await environment.db.query(
      `select workspace_id from webhook_endpoints where deleted_at is null and url like '%/hang'`,
    )
  ).rows[0];
  await record(workspace_id, waitingEvents / 2, 'template.status_updated');
  await environment.db.query('vacuum analyze jobs, webhook_attempts, events');
  const beside = await measureLatency(environment, ids, record, clock);
  print('until 98 receivers have an event: p99 alone', `${alone.toFixed(0)} ms`);
  print('  p99 beside one that hangs and one that drips', `${beside.toFixed(0)} ms, ${ratio(beside, alone)}`);
}

/** Events at a steady pace; answers the p99 of the time from an event to its first attempt at a healthy receiver, in ms. */
async function measureLatency(
  environment: BenchEnvironment,
  workspace_ids: string[],
  record: RecordEvents,
  clock: Clock,
): Promise<number> {
  const service = await environment.start('worker');
  const warm_ms = 3_000;
  const from = new Date(clock.nowMs() + warm_ms);
  const end = performance.now() + warm_ms + environment.seconds * 1000;
  for (let n = 0; performance.now() < end; n++) {
    await record(workspace_ids[n % workspace_ids.length]!, 1);
    await setTimeout(50);
  }
  await setTimeout(2_000);
  await service.stop();
  const { rows } = await environment.db.query(
    `select percentile_cont(0.99) within group (order by extract(epoch from a.delivered_at - e.created_at) * 1000) as p99,
       count(*) filter (where a.response_status is distinct from 200) as missing
     from webhook_attempts a join events e on e.workspace_id = a.workspace_id and e.id = a.event_id
     join webhook_endpoints w on w.workspace_id = a.workspace_id and w.id = a.endpoint_id and w.url like '%/events'
     where e.created_at >= $1`,
    [from],
  );
  if (Number(rows[0].missing) > 0) throw new Error(`${rows[0].missing} events did not arrive`);
  return Number(rows[0].p99);
}

async function registerDead(environment: BenchEnvironment, tenant: BenchTenant): Promise<void> {
  const api = await environment.start('api');
  // The port of the discard service, which is closed.
  await register(api.url, tenant, 9);
  await api.stop();
}

export async function register(
  url: string,
  { key }: BenchTenant,
  port: number,
  path = '/events',
  events = ['*'],
  host = '127.0.0.1',
): Promise<void> {
  const { status, text } = await createApi(url, key).post('/webhook-endpoints', {
    url: `http://${host}:${port}${path}`,
    events,
  });
  if (status !== 201) throw new Error(`no endpoint was registered: ${text}`);
}

/** Records events of a workspace as the service does for messages of customers, 100 in a transaction. */
export type RecordEvents = (workspace_id: string, count: number, type?: EventType) => Promise<void>;

/** Gives `work` a function that records events; its own pool and clock end with it. */
export async function withRecorder(
  { connection }: BenchEnvironment,
  work: (record: RecordEvents, clock: Clock) => Promise<void>,
): Promise<void> {
  const log = pino({ level: 'silent' });
  const db = openPool({ connection, size: 4, statement_timeout_ms: 60_000, log });
  const clock = await startClock(db, log);
  notifyWorkers(db, log);
  const id = 'msg_01m7w3y06je3rr02pmz3mzjgn5';
  const message = { id, direction: 'inbound', kind: 'text', body: 'When will it arrive?' };
  const data = { message, conversation: { id: 'cv_01m7w3y06je3rr02pmz3mzjgn5' } };
  const record: RecordEvents = async (workspace_id, count, type = 'message.received') => {
    for (let left = count; left > 0; left -= 100) {
      const batch = Array.from({ length: Math.min(left, 100) }, () => ({ workspace_id, type, data }));
      await transaction(db, (tx) => recordEvents(tx, clock, batch));
    }
  };
  try {
    await work(record, clock);
  } finally {
    clock.stop();
    await db.close();
  }
}
