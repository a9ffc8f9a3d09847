import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { publicId } from '../../server/src/database/ids.ts';
import { eventually } from './eventually.ts';
import { newDigits } from './messages.ts';
import type { RunningService, TestWorkspace } from './start-test-service.ts';

type Json = Record<string, unknown>;

/** The channel that the platform notifies. */
export type ChannelCredentials = Pick<TestWorkspace, 'waba_id' | 'phone_number_id' | 'app_secret'>;

/** Posts a signed notification as the platform does; fails unless it is answered 200. */
export async function postNotification(
  majlis: RunningService,
  workspace: ChannelCredentials,
  value: Json,
  field?: string,
): Promise<void> {
  const response = await postSigned(majlis, notificationBody(workspace, value, field), workspace.app_secret);
  assert.equal(response.status, 200, await response.text());
}

/** The body of a notification with one value of the field `messages`. */
export function notificationBody(
  { waba_id, phone_number_id }: ChannelCredentials,
  value: Json,
  field = 'messages',
): string {
  const metadata = { display_phone_number: '96880000001', phone_number_id };
  const changes = [{ field, value: { messaging_product: 'whatsapp', metadata, ...value } }];
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: waba_id, changes }] });
}

export function postSigned(majlis: RunningService, body: string | Uint8Array, app_secret: string): Promise<Response> {
  return postWithHeaders(majlis, body, signNotification(body, app_secret));
}

/** The platform signs the body with the secret of the app. */
export function signNotification(body: string | Uint8Array, app_secret: string): Record<string, string> {
  return { 'x-hub-signature-256': `sha256=${createHmac('sha256', app_secret).update(body).digest('hex')}` };
}

export function postWithHeaders(majlis: RunningService, body: string | Uint8Array, headers: Record<string, string>) {
  const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  return fetch(`${majlis.url}/platform/chatapp/webhook`, { ...options, body: body as string });
}

/** A status as the platform writes it. */
export function platformStatus(wamid: string, status: string, more: Json = {}): Json {
  const errors = [{ code: 131026, title: 'Message undeliverable', error_data: { details: 'Scripted.' } }];
  return {
    id: wamid,
    status,
    timestamp: String(Math.floor(Date.now() / 1000)),
    recipient_id: '96891234567',
    ...(status === 'failed' && { errors }),
    ...more,
  };
}

/** A text of a customer as the platform writes it. */
export function platformText(from: string, body: string, more: Json = {}): Json {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return { from, id: `wamid.${randomUUID()}`, timestamp, type: 'text', text: { body }, ...more };
}

/** Waits until every stored notification is processed. */
export async function untilNotificationsProcessed(majlis: RunningService, within_ms?: number): Promise<void> {
  await eventually(
    () =>
      majlis.sql(
        `select count(*)::int as left from jobs where kind in ('inbound.split_webhook', 'inbound.process_webhook')`,
      ),
    ([row]) => row!.left === 0,
    within_ms,
  );
}

/** The moment of the test clock as the platform writes it, by seconds. */
export async function timestampNow(majlis: RunningService): Promise<string> {
  const { body: clock } = await majlis.operator('GET', '/clock');
  return String(Math.floor(Date.parse(clock.now) / 1000));
}

/** Posts a text of a customer, which opens the window, and answers the public id of the conversation. */
export async function receiveText(
  majlis: RunningService,
  workspace: ChannelCredentials,
  digits: string,
  body = 'Hello',
): Promise<string> {
  const message = platformText(digits, body, { timestamp: await timestampNow(majlis) });
  await postNotification(majlis, workspace, {
    contacts: [{ profile: { name: 'Muna' }, wa_id: digits }],
    messages: [message],
  });
  const [row] = await eventually(
    () =>
      majlis.sql<{ conversation_id: string }>('select conversation_id from messages where platform_message_id = $1', [
        message.id,
      ]),
    (rows) => rows.length === 1,
  );
  return publicId('conversation', row!.conversation_id);
}

/** Posts one notification with texts of `count` new customers, and waits until they are processed. */
export async function receiveTexts(
  service: RunningService,
  workspace: ChannelCredentials,
  count: number,
): Promise<void> {
  const messages = Array.from({ length: count }, (_, n) => platformText(newDigits(), `Hello ${n}`));
  const contacts = messages.map(({ from }) => ({ profile: { name: 'Muna' }, wa_id: from }));
  await postNotification(service, workspace, { contacts, messages });
  await untilNotificationsProcessed(service);
}
