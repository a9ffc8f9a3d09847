import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { measureInboundFloor } from './floor.ts';
import { assertAll, type LoadRequest, load } from './load.ts';
import { print, printCosts, printMemory, printTimes, ratio } from './print.ts';
import type { Stage } from './stage.ts';
import { customerNumber, type Tenant } from './tenants.ts';

const connections = 64;

/** Signed notifications of one message each, until all are stored as messages. */
export async function measureInbound(stage: Stage, tenants: Tenant[]): Promise<void> {
  const floor = await measureInboundFloor(stage.db, stage.seconds);
  print('floor: the rows of one inbound message by plain SQL', `${floor.toFixed(0)}/s`);
  const service = await stage.start('api,worker');
  const costs = stage.measureCosts(service);
  const from = performance.now();
  const next = (n: number) => notification(tenants, n);
  const result = await load({ url: service.url, connections, seconds: stage.seconds, next });
  assertAll(result, 200);
  while (await stage.jobsOf('inbound.process_webhook')) await setTimeout(50);
  const rate = result.requests / ((performance.now() - from) / 1000);
  const stored = await stage.count(`select count(*) from messages where direction = 'inbound'`);
  if (stored !== result.requests) throw new Error(`${result.requests} were acknowledged and ${stored} stored`);
  print('inbound messages stored', `${rate.toFixed(0)}/s, ${ratio(rate, floor)} of the floor`);
  printTimes('  acknowledged: p50, p99', result);
  printCosts(costs(), result.requests);
  printMemory(service);
  await service.stop();
}

function notification(tenants: Tenant[], n: number): LoadRequest {
  const { phone_number_id, waba_id, app_secret } = tenants[n % tenants.length]!;
  const from = customerNumber(n * 7919);
  const message = { from, id: `wamid.in${process.pid}.${n}`, timestamp: String(Math.floor(Date.now() / 1000)) };
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '96880000001', phone_number_id },
    contacts: [{ profile: { name: 'Muna' }, wa_id: from }],
    messages: [{ ...message, type: 'text', text: { body: 'Is it in stock?' } }],
  };
  const entry = [{ id: waba_id, changes: [{ field: 'messages', value }] }];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const signature = createHmac('sha256', app_secret).update(body).digest('hex');
  return {
    method: 'POST',
    path: '/platform/chatapp/webhook',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  };
}
