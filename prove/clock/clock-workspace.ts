import { randomUUID } from 'node:crypto';
import { type Api, createApi } from '@majlis/testing/api';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { notificationBody, postSigned } from '@majlis/testing/notifications';
import { publicId } from '../../server/src/database/ids.ts';
import type { ClockEnvironment } from './clock-environment.ts';

/** A workspace with one number, and the actions of its customers and of the platform. */
export interface ClockWorkspace {
  id: string;
  key: string;
  api: Api;
  phone_number_id: string;
  waba_id: string;
  /** Applies more of its file. */
  apply(members: object): Promise<AnyJson>;
  /** Receives a message: by default a text of a new customer, written now. */
  receive(more?: { digits?: string; written_ms?: number; content?: AnyJson }): Promise<ReceivedIds>;
  /** Posts a notification of the platform under this field. */
  report(value: AnyJson, field?: string): Promise<void>;
  /** Sends the template, by default to a new number, and answers the message. */
  sendTemplate(digits?: string): Promise<AnyJson>;
  /** Waits until all work that may be due is done. */
  untilDueWorkDone(): Promise<void>;
}

/** Ids. */
export interface ReceivedIds {
  conversation: string;
  message: string;
}

export const orderReady = { name: 'order_ready', language: 'en' };
const components = [{ type: 'body', text: 'Your order is ready.' }];

export async function createClockWorkspace(
  environment: ClockEnvironment,
  n: number,
  { channel = {}, ...more }: { channel?: object } = {},
): Promise<ClockWorkspace> {
  const workspace = { name: `Acme ${n}`, country: 'OM', timezone: 'Asia/Muscat' };
  const origin = { phone_number_id: `4400${10 + n}`, waba_id: `3300${10 + n}`, app_secret: 'app-secret' };
  const applied = await environment.operator('PUT', '/workspaces', {
    workspace,
    channels: [{ name: 'Support', access_token: 'token', verify_token: 'verify', ...origin, ...channel }],
    templates: [{ ...orderReady, category: 'utility', components }],
    api_keys: [{ name: 'backend', environment: 'test', scopes: ['messages:write', 'contacts:read', 'contacts:write'] }],
    ...more,
  });
  const { id } = applied.workspace;
  const { key } = applied.api_keys[0];
  const api = createApi(environment.url, key);

  async function report(value: AnyJson, field = 'messages'): Promise<void> {
    const { status } = await postSigned(environment, notificationBody(origin, value, field), origin.app_secret);
    if (status !== 200) throw new Error(`a notification was answered ${status}`);
    await environment.settled();
  }

  return {
    ...{ id, key, api, report },
    ...{ phone_number_id: origin.phone_number_id, waba_id: origin.waba_id },
    apply: (members) => environment.operator('PUT', '/workspaces', { workspace: { name: workspace.name }, ...members }),
    async receive({ digits = newDigits(), written_ms = environment.nowMs(), content = text } = {}) {
      const wamid = `wamid.${randomUUID()}`;
      // The platform writes seconds.
      const message = { from: digits, id: wamid, timestamp: String(Math.floor(written_ms / 1000)), ...content };
      await report({ contacts: [{ profile: { name: 'Muna' }, wa_id: digits }], messages: [message] });
      const [row] = await environment.sql<Record<string, string>>(
        'select id, conversation_id from messages where platform_message_id = $1',
        [wamid],
      );
      return { conversation: publicId('conversation', row!.conversation_id!), message: publicId('message', row!.id!) };
    },
    async sendTemplate(digits = newDigits()) {
      const { body, text: answer } = await api.post('/messages', {
        to: `+${digits}`,
        kind: 'template',
        template: orderReady,
      });
      if (!body.id) throw new Error(answer);
      return body;
    },
    // An empty notification is processed after all work that was due before it.
    untilDueWorkDone: () => report({}, 'idle'),
  };
}

const text = { type: 'text', text: { body: 'Hello' } };
