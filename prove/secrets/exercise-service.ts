import { randomBytes, randomUUID } from 'node:crypto';
import { type Operation, operations } from '@majlis/contract';
import { eventually } from '@majlis/testing/eventually';
import type { FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import type { RestartableService } from '@majlis/testing/faults/restartable-service';
import { type ChannelCredentials, receiveText } from '@majlis/testing/notifications';
import { operatorToken } from '@majlis/testing/operator';
import type { RunningService } from '@majlis/testing/start-test-service';
import type { Canaries } from './canaries.ts';
import type { RecordingClient } from './recording-client.ts';

/** Not a secret: the search must find it in messages, or it proves nothing. */
export const controlText = `control${randomBytes(8).toString('hex')}`;

export interface Exercise {
  environment: FaultEnvironment;
  majlis: RestartableService;
  client: RecordingClient;
  origin: { app_secret: string; access_token: string; verify_token: string };
  receiver_url: string;
  canaries: Canaries;
}

/** Runs every operation and failure that could leak a secret. Secrets of the service's answers join the canaries. */
export async function exerciseService({
  environment,
  majlis,
  client,
  origin,
  receiver_url,
  canaries,
}: Exercise): Promise<void> {
  const { operator, api } = doorsOf(client, canaries);
  const ids = { phone_number_id: '4400013', waba_id: '3300013' };
  const channel = { type: 'chatapp', name: 'Support', ...ids, ...origin };
  const users = [{ name: 'Aisha', email: 'aisha@acme.example', role: 'admin' }];
  const headers = { Authorization: `Bearer ${canaries.header}` };
  const call = { do: 'call', url: 'https://nowhere.invalid/', headers, on_error: 'continue' };
  const workflow = { name: 'Look', status: 'published', trigger: 'message_received', control: 'human', steps: [call] };
  const file = {
    ...{ workspace: { name: 'Acme', country: 'OM' }, channels: [channel], users, ...keys },
    workflows: [workflow],
  };
  canaries.key = JSON.parse(await operator('PUT', '/workspaces', file)).api_keys[0].key;
  const { key } = canaries as { key: string };
  const endpoint = { url: receiver_url, events: ['*'] };
  canaries.webhook = JSON.parse(await api('POST', '/webhook-endpoints', endpoint)).secret;
  // These answers show the new secrets once. No later answer may.
  client.answers.length = 0;
  await operator('PUT', '/workspaces', file);
  await operator('PUT', '/workspaces', { ...file, channels: [{ ...channel, access_token: 7 }] });

  await talk({ environment, majlis, client, origin, receiver_url, canaries }, { ...ids, ...origin });
  for (const operation of Object.values(operations) as Operation[]) await misuse(operation, client, canaries);
  await upload(api);
  const challenge = `hub.mode=subscribe&hub.challenge=1&hub.verify_token=${origin.verify_token}`;
  await client.call('GET', `/platform/chatapp/webhook?${challenge}x`, '');
  await client.call('GET', `/v1/me?api_key=${key}`, `${key}x`);
  await client.call('GET', `/v1/${key}`, key);
  await client.call('GET', '/operator/clock', key);
  await client.call('GET', '/v1/me', operatorToken);
  await loseSessions(environment, () => api('GET', '/conversations'));
  for (const place of ['/metrics', '/openapi.json', '/healthz', '/readyz']) await client.call('GET', place, '');
  for (const place of ['/me', '/channels', '/webhook-endpoints', '/conversations']) await api('GET', place);
}

/** Customers write, and are answered by people and by the model, which refuses. */
async function talk({ environment, majlis, client, canaries }: Exercise, from: ChannelCredentials): Promise<void> {
  const { operator, api } = doorsOf(client, canaries);
  const service: RunningService = {
    url: majlis.url,
    sql: environment.sql,
    operator: async (method, place, body) => ({ status: 200, body: JSON.parse(await operator(method, place, body)) }),
  };
  for (const digits of ['96891000001', '96891000013']) {
    const conversation = await receiveText(service, from, digits, controlText);
    await api('POST', `/conversations/${conversation}/messages`, { kind: 'text', body: controlText });
    await api('POST', `/conversations/${conversation}/notes`, { body: '@Aisha look' });
    await api('POST', `/conversations/${conversation}/ai/compose`, { instruction: 'Greet' });
    await api('POST', `/conversations/${conversation}/ai/summary`);
  }
}

/** The database ends every session in the middle of reads. */
async function loseSessions({ sql }: FaultEnvironment, read: () => Promise<unknown>): Promise<void> {
  const reads = Promise.all(Array.from({ length: 30 }, read));
  await sql(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await reads;
  await eventually(
    () => sql(`select from jobs where kind in ('messages.deliver_message', 'inbound.process_webhook')`),
    (rows) => rows.length === 0,
    60_000,
  );
}

function doorsOf(client: RecordingClient, canaries: Canaries) {
  return {
    operator: (method: string, place: string, body?: unknown) =>
      client.call(method, `/operator${place}`, operatorToken, body),
    api: (method: string, place: string, body?: unknown) => client.call(method, `/v1${place}`, canaries.key!, body),
  };
}

const keys = {
  api_keys: [{ name: 'backend', environment: 'test', scopes: ['messages:write', 'contacts:read', 'contacts:write'] }],
};

/** Each operation with its example, with a broken body, and with a key that is almost right. */
async function misuse(
  { method, path: place, body, example }: Operation,
  { call }: RecordingClient,
  { key }: Canaries,
): Promise<void> {
  const url = place.replaceAll(/\{\w+\}/g, randomUUID());
  await call(method, url, key!, body && example.body);
  if (body) await call(method, url, key!, `{"secret":"${key}"`);
  await call(method, url, key!.slice(0, -1));
}

/** The storage is away: the SDK's own error must not be passed on. */
async function upload(api: (method: string, place: string, body?: unknown) => Promise<string>): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob(['%PDF-1.4\n']), 'a.pdf');
  await api('POST', '/media', form);
}
