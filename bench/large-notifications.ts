import { setTimeout as pause } from 'node:timers/promises';
import { notificationBody, platformText, signNotification } from '@majlis/testing/notifications';
import type { BenchEnvironment } from './environment.ts';
import { messageNotification } from './inbound.ts';
import type { LoadRequest } from './load.ts';
import { print } from './print.ts';
import type { BenchTenant } from './tenants.ts';

const readEveryMs = 250;

/** One notification of many customers, until all are stored: the longest turn of the event loop, and the small ones of another. */
export async function measureLargeNotifications(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const [large, ...others] = tenants as [BenchTenant, ...BenchTenant[]];
  const service = await environment.start('api,worker');
  for (const customers of [9_000, 30_000]) {
    const before = await environment.count(stored);
    const messages = Array.from({ length: customers }, (_, n) => platformText(`9718${customers + n}`, 'Hello'));
    const body = notificationBody(large, { messages });
    const headers = { 'content-type': 'application/json', ...signNotification(body, large.app_secret) };
    await readLongestTurn(service.url);
    const begun = performance.now();
    await post(service.url, { method: 'POST', path: '/platform/chatapp/webhook', headers, body });
    const acknowledged_ms = performance.now() - begun;
    const turns: number[] = [];
    const small: number[] = [];
    while ((await environment.count(stored)) < before + customers + small.length) {
      const from = performance.now();
      await post(service.url, messageNotification(others, small.length));
      small.push(performance.now() - from);
      turns.push(await readLongestTurn(service.url));
      await pause(readEveryMs);
    }
    const seconds = (performance.now() - begun) / 1000;
    print(
      `${customers} customers in one notification`,
      `acknowledged in ${acknowledged_ms.toFixed(0)} ms, stored in ${seconds.toFixed(1)} s`,
    );
    print('  longest turn of the event loop', `${Math.max(...turns).toFixed(0)} ms`);
    print('  small ones of others: the slowest', `${Math.max(...small).toFixed(0)} ms`);
  }
  await service.stop();
}

const stored = `select count(*) from messages where direction = 'inbound'`;

async function post(url: string, { path, ...request }: LoadRequest): Promise<void> {
  const response = await fetch(`${url}${path}`, request as RequestInit);
  if (response.status !== 200) throw new Error(`a notification was answered ${response.status}`);
}

/** In milliseconds, since the last reading. */
async function readLongestTurn(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)![1]) * 1000;
}
