import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { deliverEvent } from '../server/src/events/delivery-job.ts';
import { processWebhook } from '../server/src/inbound/jobs.ts';
import type { BenchEnvironment } from './environment.ts';
import { firstPort, register, withRecorder } from './events.ts';
import { messageNotification, type SentMessage, statusNotification } from './inbound.ts';
import { assertAll, type LoadRequest, load } from './load.ts';
import { lessRest, prepareMeter, printReading, type Reading, startMeter } from './meter.ts';
import { deliver, sendRequest } from './sending.ts';
import type { BenchService } from './service.ts';
import { type BenchTenant, contactsPerTenant } from './tenants.ts';

const connections = 64;
const warmSeconds = 2;
const reportedMessages = 4_000;
const statuses = ['sent', 'delivered', 'read'];
const events = 30_000;

/** The cost of each step of a message: processor time, statements, commits, WAL, bytes over HTTP. */
export async function measureCost(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  await prepareMeter(environment);
  const rest = await measureRest(environment);
  await measureAccepts(environment, tenants);
  await measureDispatch(environment, rest);
  await measureReports(environment, tenants, rest);
  await measureReceiving(environment, tenants, rest);
  await measureDeliveries(environment, tenants, rest);
  await measureLists(environment, tenants);
}

/** The cost of an idle service with workers. */
async function measureRest(environment: BenchEnvironment): Promise<Reading> {
  const service = await environment.start('api,worker');
  await setTimeout(2_000);
  const read = await startMeter(environment, service);
  await setTimeout(environment.seconds * 1000);
  const reading = await read();
  await service.stop();
  printReading('a second of rest', reading, reading.seconds);
  return reading;
}

/** By an API alone, so that no dispatch is measured. A single connection cannot share statements and commits. */
async function measureAccepts(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const api = await environment.start('api');
  const keyed = () => ({ 'idempotency-key': randomUUID() });
  const send = (n: number) => sendRequest(tenants, n);
  await measureRequests(environment, api, `a send accepted, ${connections} connections`, connections, send);
  await measureRequests(environment, api, '  with an idempotency key', connections, (n) =>
    sendRequest(tenants, n, keyed()),
  );
  await measureRequests(environment, api, 'a send accepted, alone', 1, send);
  await api.stop();
}

async function measureRequests(
  environment: BenchEnvironment,
  service: BenchService,
  what: string,
  connections: number,
  next: (n: number) => LoadRequest,
): Promise<void> {
  const { url } = service;
  await load({ url, connections, seconds: warmSeconds, next });
  const read = await startMeter(environment, service);
  const result = await load({ url, connections, seconds: environment.seconds, next });
  const reading = await read();
  assertAll(result, next(0).method === 'GET' ? 200 : 201);
  printReading(what, reading, result.requests, result.bytes);
}

async function measureDispatch(environment: BenchEnvironment, rest: Reading): Promise<void> {
  const { reading, count, bytes } = await drain(environment, deliver, environment.platformBytes);
  printReading('a send dispatched by a worker alone', lessRest(reading, rest), count, bytes);
}

/** Measures a worker that empties the queue. It starts, pauses, and continues under measurement with warm code. */
async function drain(environment: BenchEnvironment, kind: string, bytesSoFar: () => Promise<number>) {
  const worker = await environment.start('worker');
  await setTimeout(warmSeconds * 1000);
  await environment.db.query(
    `insert into job_groups (kind, group_id, paused_until)
     select distinct kind, group_id, now() + interval '1 hour' from jobs where kind = $1`,
    [kind],
  );
  await setTimeout(1_000);
  const before = await bytesSoFar();
  const count = await environment.jobsOf(kind);
  const read = await startMeter(environment, worker);
  await environment.db.query('truncate job_groups');
  // Where many groups are paused, their jobs were parked until the end of the pause.
  await environment.db.query('update jobs set wakes_at = now() where wakes_at is not null');
  await environment.untilNoJobs(kind, 100);
  const reading = await read();
  await worker.stop();
  return { reading, count, bytes: (await bytesSoFar()) - before };
}

/** Each status of each message in a notification of its own, as the platform sends them. */
async function measureReports(environment: BenchEnvironment, tenants: BenchTenant[], rest: Reading): Promise<void> {
  const { rows: messages } = await environment.db.query<SentMessage>(
    `select workspace_id, id, platform_message_id, recipient from messages
     where platform_message_id is not null and status = 'queued' order by random() limit $1`,
    [reportedMessages + connections],
  );
  const byWorkspace = new Map(tenants.map((tenant) => [tenant.workspace_id, tenant]));
  const report = (n: number, of: SentMessage[]) => {
    const message = of[n % of.length]!;
    return statusNotification(byWorkspace.get(message.workspace_id)!, message, statuses[Math.floor(n / of.length)]!);
  };
  const service = await environment.start('api,worker');
  const others = messages.splice(reportedMessages);
  await load({ url: service.url, connections, requests: others.length * 3, next: (n) => report(n, others) });
  await environment.untilNoJobs(processWebhook);
  const read = await startMeter(environment, service);
  const result = await load({
    url: service.url,
    connections,
    requests: messages.length * 3,
    next: (n) => report(n, messages),
  });
  await environment.untilNoJobs(processWebhook);
  const reading = lessRest(await read(), rest);
  assertAll(result, 200);
  const known = await environment.count(`select count(*) from messages where status = 'read'`);
  if (known !== messages.length + others.length) throw new Error(`${known} messages are known to be read`);
  await service.stop();
  printReading('a status report', reading, result.requests, result.bytes);
  printReading('  the three reports of a message', reading, messages.length, result.bytes);
}

async function measureReceiving(environment: BenchEnvironment, tenants: BenchTenant[], rest: Reading): Promise<void> {
  const service = await environment.start('api,worker');
  const { url } = service;
  const next = (n: number) => messageNotification(tenants, n);
  // All 4,000 customers have written before: a first message also stores the name and its search key.
  await load({ url, connections, requests: 4 * contactsPerTenant, next });
  await environment.untilNoJobs(processWebhook);
  await environment.db.query('vacuum analyze');
  const read = await startMeter(environment, service);
  const result = await load({ url, connections, seconds: environment.seconds, next });
  await environment.untilNoJobs(processWebhook);
  const reading = lessRest(await read(), rest);
  assertAll(result, 200);
  printReading(`a message received and stored, ${connections} connections`, reading, result.requests, result.bytes);
  await measureLoneReceiving(environment, service, next, rest);
  await service.stop();
}

/** Each message arrives when the one before is stored. */
async function measureLoneReceiving(
  environment: BenchEnvironment,
  service: BenchService,
  next: (n: number) => LoadRequest,
  rest: Reading,
): Promise<void> {
  const nextAlone = async (n: number) => {
    await environment.untilNoJobs(processWebhook, 1);
    return next(n);
  };
  const read = await startMeter(environment, service);
  const result = await load({ url: service.url, connections: 1, seconds: environment.seconds, next: nextAlone });
  await environment.untilNoJobs(processWebhook);
  const reading = lessRest(await read(), rest);
  assertAll(result, 200);
  printReading('a message received and stored, alone', reading, result.requests, result.bytes);
}

/** Each workspace has one endpoint. */
async function measureDeliveries(environment: BenchEnvironment, tenants: BenchTenant[], rest: Reading): Promise<void> {
  const receivers = fork('bench/receivers.ts', [String(firstPort), String(tenants.length)]);
  await once(receivers, 'message');
  try {
    const api = await environment.start('api');
    for (const [n, tenant] of tenants.entries()) await register(api.url, tenant, firstPort + n);
    await api.stop();
    await withRecorder(environment, async (record) => {
      for (const { workspace_id } of tenants) await record(workspace_id, Math.ceil(events / tenants.length));
    });
    const { reading, count, bytes } = await drain(environment, deliverEvent, async () => {
      receivers.send('bytes');
      return (await once(receivers, 'message'))[0];
    });
    printReading('an event delivered to one endpoint', lessRest(reading, rest), count, bytes);
  } finally {
    receivers.kill();
  }
}

async function measureLists(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  // Clears the dead rows of the steps before.
  await environment.db.query('vacuum analyze');
  const api = await environment.start('api');
  await measureRequests(environment, api, 'a page of 25 conversations, 16 connections', 16, (n) => ({
    method: 'GET',
    path: '/v1/conversations',
    headers: { authorization: `Bearer ${tenants[n % tenants.length]!.key}` },
  }));
  await api.stop();
}
