import { eventually } from '../eventually.ts';
import { callOperator } from '../operator.ts';
import type { FaultEnvironment } from './fault-environment.ts';
import type { RestartableService } from './restartable-service.ts';

/** A workspace with one number and customers with open windows. */
export interface FaultWorkspace {
  name: string;
  key: string;
  phone_number_id: string;
  waba_id: string;
  app_secret: string;
  /** Digits of the customers' numbers. */
  customers: string[];
  /** The platform's ids of the customers' first messages. */
  inbound: string[];
}

let workspaces = 0;

// The platform charges for utility messages and delivers service messages free of charge.
export const wallet = { balance_minor: 1_000_000_000, currency: 'OMR' };
export const prices = { utility: 8, service: 3 };

export async function createFaultWorkspace(
  { simulator, sql }: FaultEnvironment,
  url: string,
  { messaging_tier = 1_000, customers: customerCount = 20 } = {},
): Promise<FaultWorkspace> {
  const n = ++workspaces;
  const name = `Acme ${n}`;
  const number = { phone_number_id: `440000${n}`, waba_id: `330000${n}`, access_token: `token-${n}` };
  const shown = { display_phone: '+96880000001', verified_name: 'Acme' };
  const secrets = { app_secret: `app-secret-${n}`, verify_token: `verify-${n}` };
  simulator.addNumber({
    ...number,
    ...shown,
    messaging_tier,
    webhook: { callback_url: `${url}/platform/chatapp/webhook`, ...secrets },
  });
  simulator.addTemplate({ ...orderReadyTemplate, waba_id: number.waba_id });
  const applied = await callOperator(url, 'PUT', '/workspaces', {
    workspace: { name, country: 'OM' },
    wallet,
    prices,
    channels: [{ type: 'chatapp', name: 'Support', messaging_tier, ...number, ...shown, ...secrets }],
    templates: [{ ...orderReadyTemplate, category: 'utility', components: [{ type: 'body', text: templateText }] }],
    api_keys: [{ name: 'backend', environment: 'test', scopes: ['messages:write'] }],
  });
  const { phone_number_id, waba_id } = number;
  const { app_secret } = secrets;
  const customers = Array.from({ length: customerCount }, (_, index) => `9689120${String(1000 + index)}`);
  const inbound = customers.map((from) => simulator.inject({ phone_number_id, from, type: 'text', content: 'Hello' }));
  await eventually(
    () => sql<{ count: number }>(`select count(*)::int from messages where direction = 'inbound'`),
    ([row]) => row!.count >= customerCount,
  );
  return { name, key: applied.api_keys[0].key, phone_number_id, waba_id, app_secret, customers, inbound };
}

const templateText = 'Your order is ready.';
export const orderReadyTemplate = {
  name: 'order_ready',
  language: 'en',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: templateText }],
};

/** Starts the service in this environment, with a workspace. */
export async function startFaultService(
  environment: FaultEnvironment,
  env: Record<string, string> = {},
  options: Parameters<typeof createFaultWorkspace>[2] = {},
): Promise<FaultWorkspace & { majlis: RestartableService; workspace: FaultWorkspace }> {
  const majlis = await environment.majlis(env);
  await majlis.start();
  const workspace = await createFaultWorkspace(environment, majlis.url, options);
  return { majlis, workspace, ...workspace };
}
