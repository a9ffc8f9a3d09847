import { before } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { type Simulator, type SimulatorOptions, startSimulator } from '../src/index.ts';
import type { Dict } from '../src/world/message.ts';
import { type BusinessWebhook, startBusinessWebhook } from './business-webhook.ts';
import { until } from './until.ts';

export const secret = 'demo-app-secret';
export const token = 'platform-token';
export const numberId = '440000000000001';
export const accountId = '330000000000001';

export const orderTemplate = {
  name: 'order_update',
  language: 'en_US',
  category: 'UTILITY',
  components: [
    { type: 'BODY', text: 'Hello {{1}}, your order {{2}} has shipped.', example: { body_text: [['Sara', 'A-1007']] } },
  ],
};

export type Answer = { status: number; headers: Headers; body: Dict & { error?: Dict & { code: number } } };

/** A simulator with one number and a business that listens, for the tests of one file. */
export function startTestSimulator(options: Partial<SimulatorOptions> = {}) {
  let simulator: Simulator;
  let receiver: BusinessWebhook;

  before(async () => {
    receiver = await startBusinessWebhook(secret);
    cleanUp('the receiver', () => receiver.close());
    simulator = await startSimulator({
      port: 0,
      seed: 1,
      webhook: { callback_url: receiver.url, app_secret: secret, verify_token: 'verify' },
      numbers: [
        {
          phone_number_id: numberId,
          waba_id: accountId,
          display_phone: '+1 202-555-0111',
          verified_name: 'Example Shop',
          access_token: token,
        },
      ],
      templates: [orderTemplate],
      delays: { sent_ms: 1, delivered_ms: 5, read_ms: 10, review_ms: 5 },
      ...options,
    });
    cleanUp('the simulator', () => simulator.close());
  });

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await fetch(`${simulator.api_url}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : { text } };
  }

  async function control(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await fetch(`${simulator.url}/control/${path}`, {
      method,
      headers: { ...bearerOf(simulator), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) };
  }

  return {
    get simulator() {
      return simulator;
    },
    get receiver() {
      return receiver;
    },
    call,
    control,
    send: (to: string, more: object) =>
      call('POST', `${numberId}/messages`, { messaging_product: 'whatsapp', to, ...more }),
    sendTemplate: (to: string, more: object = {}) =>
      call('POST', `${numberId}/messages`, { messaging_product: 'whatsapp', to, ...templateMessage, ...more }),
    /** Opens the window. */
    write: (from: string, body = 'Hi') =>
      simulator.inject({ phone_number_id: numberId, from, name: 'Sara', type: 'text', content: { body } }),
    settled: () => until('all statuses and webhooks settled', () => simulator.pending() === 0),
    statusesOf: (wamid: string) => receiver.statuses().filter((status) => status.id === wamid),
  };
}

/** The header that opens the control API. */
export const bearerOf = ({ control_token }: Simulator) => ({ authorization: `Bearer ${control_token}` });

export const templateMessage = {
  type: 'template',
  template: {
    name: 'order_update',
    language: { code: 'en_US' },
    components: [
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Sara' },
          { type: 'text', text: 'A-1007' },
        ],
      },
    ],
  },
};

export function wamidOf(answer: Answer): string {
  return (answer.body.messages as { id: string }[])[0]!.id;
}
