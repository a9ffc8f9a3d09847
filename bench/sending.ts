import type { BenchEnvironment } from './environment.ts';
import { measureSendFloor } from './floor.ts';
import { assertAll, type LoadRequest, load } from './load.ts';
import { print, printCosts, printMemory, printTimes, ratio } from './print.ts';
import type { BenchService } from './service.ts';
import { type BenchTenant, customerNumber } from './tenants.ts';

const connections = 64;
// Until V8 has compiled the hot code, a send costs a third more.
const warmSeconds = 6;
export const deliver = 'messages.deliver_message';

/** Sends accepted by an API process alone; what it leaves in the queue is dispatched by a worker alone. */
export async function measureSending(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const floor = await measureSendFloor(environment.db, environment.seconds);
  print('floor: the rows of one send by plain SQL, 16 connections', `${floor.toFixed(0)}/s`);
  const api = await environment.start('api');
  await measureAccept(environment, api, tenants, floor);
  await api.stop();
  const worker = await environment.start('worker');
  await measureDispatch(environment, worker);
  await worker.stop();
}

async function measureAccept(
  environment: BenchEnvironment,
  service: BenchService,
  tenants: BenchTenant[],
  floor: number,
): Promise<void> {
  const next = (n: number) => sendRequest(tenants, n);
  await load({ url: service.url, connections, seconds: warmSeconds, next });
  const costs = environment.measureCosts(service);
  const result = await load({ url: service.url, connections, seconds: environment.seconds, next });
  assertAll(result, 201);
  const { per_second } = result;
  print('accepted sends over HTTP', `${per_second.toFixed(0)}/s, ${ratio(per_second, floor)} of the floor`);
  printTimes('  p50, p99', result);
  printCosts(costs(), result.requests);
  printMemory(service);
}

async function measureDispatch(environment: BenchEnvironment, service: BenchService): Promise<void> {
  const before = await environment.jobsOf(deliver);
  const costs = environment.measureCosts(service);
  const from = performance.now();
  await environment.untilNoJobs(deliver, 100);
  const rate = before / ((performance.now() - from) / 1000);
  print('dispatched by a worker alone', `${rate.toFixed(0)}/s, ${before} in all`);
  printCosts(costs(), before);
  printMemory(service);
}

/** Accepts at full speed with dispatch in the same process, and measures the backlog of dispatch. */
export async function measureTogether(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const service = await environment.start('api,worker');
  const next = (n: number) => sendRequest(tenants, n);
  const costs = environment.measureCosts(service);
  const result = await load({ url: service.url, connections, seconds: environment.seconds, next });
  assertAll(result, 201);
  const waiting = await environment.jobsOf(deliver);
  const from = performance.now();
  await environment.untilNoJobs(deliver);
  print('accepted with dispatch in the same process', `${result.per_second.toFixed(0)}/s`);
  printTimes('  p50, p99', result);
  printCosts(costs(), result.requests);
  print('  dispatched meanwhile', `${((result.requests - waiting) / result.seconds).toFixed(0)}/s`);
  print('  waiting at the end, gone after', `${waiting}, ${((performance.now() - from) / 1000).toFixed(1)} s`);
  printMemory(service);
  await service.stop();
}

export function sendRequest(tenants: BenchTenant[], n: number, headers: Record<string, string> = {}): LoadRequest {
  const { key } = tenants[n % tenants.length]!;
  return {
    method: 'POST',
    path: '/v1/messages',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      to: `+${customerNumber(n * 7919)}`,
      kind: 'text',
      body: 'Your order is ready, come and fetch it.',
    }),
  };
}
