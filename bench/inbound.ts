import { notificationBody, signNotification } from '@majlis/testing/notifications';
import { newToken, wamidOf } from '@majlis/testing/platform-ids';
import { publicId } from '../server/src/database/ids.ts';
import { processWebhook } from '../server/src/inbound/jobs.ts';
import type { BenchEnvironment } from './environment.ts';
import { measureInboundFloor } from './floor.ts';
import { assertAll, type LoadRequest, load } from './load.ts';
import { print, printCosts, printMemory, printTimes, ratio } from './print.ts';
import { type BenchTenant, customerNumber } from './tenants.ts';

const connections = 64;

/** Signed notifications of one message each, until all are stored as messages. */
export async function measureInbound(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const floor = await measureInboundFloor(environment.db, environment.seconds);
  print('floor: the rows of one inbound message by plain SQL', `${floor.toFixed(0)}/s`);
  const service = await environment.start('api,worker');
  const costs = environment.measureCosts(service);
  const from = performance.now();
  const next = (n: number) => messageNotification(tenants, n);
  const result = await load({ url: service.url, connections, seconds: environment.seconds, next });
  assertAll(result, 200);
  await environment.untilNoJobs(processWebhook);
  const rate = result.requests / ((performance.now() - from) / 1000);
  const stored = await environment.count(`select count(*) from messages where direction = 'inbound'`);
  if (stored !== result.requests) throw new Error(`${result.requests} were acknowledged and ${stored} stored`);
  print('inbound messages stored', `${rate.toFixed(0)}/s, ${ratio(rate, floor)} of the floor`);
  printTimes('  acknowledged: p50, p99', result);
  printCosts(costs(), result.requests);
  printMemory(service);
  await service.stop();
}

/** What a customer wrote, a known one by default; each is another message. */
export function messageNotification(
  tenants: BenchTenant[],
  n: number,
  from: string = customerNumber(n * 7919),
): LoadRequest {
  const message = { from, id: wamidOf(from, newToken()), timestamp: seconds() };
  return notification(tenants[n % tenants.length]!, {
    contacts: [{ profile: { name: 'Muna' }, wa_id: from, user_id: `OM.${from}00` }],
    messages: [{ ...message, from_user_id: `OM.${from}00`, type: 'text', text: { body: 'Is it in stock?' } }],
  });
}

/** A status of a sent message, with its price where the platform reports one. */
export function statusNotification(tenant: BenchTenant, message: SentMessage, status: string): LoadRequest {
  const { id, platform_message_id, recipient } = message;
  const pricing = { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' };
  return notification(tenant, {
    statuses: [
      {
        id: platform_message_id,
        status,
        timestamp: seconds(),
        recipient_id: recipient.slice(1),
        biz_opaque_callback_data: publicId('message', id),
        ...(status !== 'read' && { pricing }),
      },
    ],
  });
}

export interface SentMessage {
  workspace_id: string;
  id: string;
  platform_message_id: string;
  recipient: string;
}

function seconds(): string {
  return String(Math.floor(Date.now() / 1000));
}

function notification(tenant: BenchTenant, value: Record<string, unknown>): LoadRequest {
  const body = notificationBody(tenant, value);
  return {
    method: 'POST',
    path: '/platform/chatapp/webhook',
    headers: { 'content-type': 'application/json', ...signNotification(body, tenant.app_secret) },
    body,
  };
}
