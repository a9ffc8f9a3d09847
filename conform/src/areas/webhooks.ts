import { EventEnvelope, events, operations } from '@majlis/contract';
import { describeAnswer } from '../answer.ts';
import { defineArea } from '../clause.ts';
import { type Arrival, type Listener, receiveEvents, signatureFault } from '../receive-events.ts';
import { faultsOf } from '../schema-faults.ts';
import { approvedTemplate, talk, templateBody } from '../sending.ts';
import { ownFault, refused, type Session, shared, succeed, until } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

export const webhooks = defineArea('webhooks', [
  [
    'secret',
    'The secret (whsec_…) is shown in full in the registration response.',
    async (session) => {
      const { secret } = await ownFault(quietEndpoint(session));
      assertThat(
        secret?.startsWith('whsec_') === true,
        'a secret that begins with whsec_',
        secret ? 'another one' : 'none',
      );
    },
  ],
  [
    'secret_once',
    'The secret is shown only in the registration response.',
    async (session) => {
      const { id, secret } = await quietEndpoint(session);
      if (!secret) throw new NotChecked('no secret was shown at all: see webhooks.secret');
      const params = { endpoint_id: id };
      for (const [operation, call] of [
        [operations.listWebhookEndpoints, {}],
        [operations.updateWebhookEndpoint, { params, body: { events: ['*'] } }],
      ] as const) {
        const answer = await session.client.call(operation, call);
        assertThat(
          !answer.bytes.includes(secret),
          `no secret in ${operation.method} ${operation.path}`,
          describeAnswer(answer),
        );
      }
    },
  ],
  [
    'update',
    'PATCH changes url, events, enabled.',
    async (session) => {
      const params = { endpoint_id: (await quietEndpoint(session)).id };
      const body = { events: ['message.received'], enabled: false };
      const { events: types, enabled } = await succeed(session, 'updateWebhookEndpoint', { params, body });
      assertSame({ events: types, enabled }, body, 'events and enabled');
      const { data } = await succeed(session, 'listWebhookEndpoints');
      assertSame(data.find(({ id }) => id === params.endpoint_id)?.enabled, false, 'enabled, in the list:');
    },
  ],
  ['delete', 'DELETE removes the endpoint: 204.', remove],
  ['test', 'POST …/test answers 200 with a delivery attempt record.', test],
  [
    'signature',
    'Service-Signature: t=<unix_seconds>,v1=<hex HMAC-SHA256 of t.body keyed with the secret>.',
    async (session) => {
      const { arrivals, secret } = await tested(session);
      for (const arrival of arrivals) {
        const fault = signatureFault(arrival, secret);
        assertThat(fault === undefined, 'a signature of the raw bytes by the secret', fault);
      }
    },
  ],
  [
    'envelope',
    'Envelope: id, type, created_at, workspace_id, api_version, data.',
    async (session) => {
      const { arrivals } = await tested(session);
      for (const { body } of arrivals) assertEvent(JSON.parse(body.toString()));
    },
  ],
  [
    'deliveries',
    'GET …/deliveries lists the attempts.',
    async (session) => {
      const { params, arrivals } = await tested(session);
      const { id: event_id } = JSON.parse(arrivals[0]!.body.toString());
      const { data } = await succeed(session, 'listWebhookDeliveries', { params });
      const attempt = data.find((one) => one.event_id === event_id);
      assertSame(attempt?.response_status, 204, `response_status of the attempt for ${event_id}`);
    },
  ],
  ['status_event', 'Delivery updates arrive as message.status_updated events.', statusEvent],
  ['received_event', 'message.received: an inbound message.', receivedEvent],
]);

/** Registered under a name that cannot exist: nothing that happens meanwhile reaches anybody. */
function quietEndpoint(session: Session) {
  return shared(session, 'webhook endpoint', () => register(session, 'https://receiver.invalid/conform'));
}

async function register(session: Session, url: string) {
  const types = ['message.received'];
  const endpoint = await succeed(session, 'createWebhookEndpoint', {
    body: { url, events: types, description: session.mark },
  });
  if (endpoint.secret) session.secrets.add(endpoint.secret);
  const params = { endpoint_id: endpoint.id };
  session.cleanUps.push(async () => {
    const { status } = await session.client.call(operations.deleteWebhookEndpoint, { params });
    return status === 204 || status === 404 ? undefined : `webhook endpoint ${endpoint.id}`;
  });
  return endpoint;
}

async function remove(session: Session): Promise<void> {
  const { id } = await register(session, 'https://removed.invalid/conform');
  await succeed(session, 'deleteWebhookEndpoint', { params: { endpoint_id: id } });
  const { data } = await succeed(session, 'listWebhookEndpoints');
  assertThat(!data.some((one) => one.id === id), `no ${id} in the list`, data);
  await refused(session, 'listWebhookDeliveries', { params: { endpoint_id: id } }, [404]);
}

interface Heard {
  params: { endpoint_id: string };
  secret: string;
  arrivals: Arrival[];
}

/** An endpoint of all events, whose posts come to this process. */
function listening(session: Session): Promise<Heard> {
  return shared(session, 'endpoint to listen at', async () => {
    const { webhook_port, webhook_url } = session.options;
    if (webhook_port === undefined) throw new NotChecked('needs --webhook-port');
    const listener: Listener = await receiveEvents(webhook_port);
    session.cleanUps.push(async () => void (await listener.close()));
    const endpoint = await register(session, webhook_url ?? `http://127.0.0.1:${listener.port}/conform`);
    const params = { endpoint_id: endpoint.id };
    await succeed(session, 'updateWebhookEndpoint', { params, body: { events: ['*'] } });
    return { params, secret: endpoint.secret ?? '', arrivals: listener.arrivals };
  });
}

function tested(session: Session): Promise<Heard> {
  return shared(session, 'test event', async () => {
    const heard = await listening(session);
    await succeed(session, 'testWebhookEndpoint', { params: heard.params });
    const arrived = await until(
      session,
      async () => heard.arrivals.length,
      (count) => count > 0,
    );
    if (arrived === 0) throw new NotChecked('nothing came to the endpoint: is it reachable under --webhook-url?');
    return heard;
  });
}

async function test(session: Session): Promise<void> {
  const { params } = await listening(session);
  const attempt = await succeed(session, 'testWebhookEndpoint', { params });
  assertSame(attempt.response_status, 204, 'response_status');
}

function assertEvent(event: unknown): void {
  const faults = faultsOf(EventEnvelope, event);
  assertThat(faults.length === 0, 'an event in its envelope', faults.join('; '));
  const { id, type, api_version, data } = event as EventEnvelope;
  assertThat(id.startsWith('evt_'), 'an id that begins with evt_', id);
  assertThat(/^\d{4}-\d\d-\d\d$/.test(api_version), 'api_version, a date', api_version);
  // The shape of a template event is open.
  if (type !== 'message.received' && type !== 'message.status_updated') return;
  const of = faultsOf(events[type].data, data);
  assertThat(of.length === 0, `the data of ${type}`, of.join('; '));
}

async function statusEvent(session: Session): Promise<void> {
  if (session.options.to === undefined) throw new NotChecked('needs --to');
  const heard = await listening(session);
  const { params } = await talk(session);
  const body = templateBody(await approvedTemplate(session));
  const { id } = await succeed(session, 'sendConversationMessage', { params, body });
  const isIts = (data: MessageData) => data.message?.id === id;
  const arrival = await awaitEvent(session, heard, 'message.status_updated', isIts);
  const { status } = await succeed(session, 'getMessage', { params: { message_id: id } });
  if (!arrival && status === 'queued') throw new NotChecked('the message was queued all the time');
  assertThat(arrival !== undefined, 'message.status_updated', `none, while the status is ${status}`);
  assertGenuine(arrival, heard, params.conversation_id);
}

async function receivedEvent(session: Session): Promise<void> {
  const { to, reply_seconds = 0 } = session.options;
  if (to === undefined || reply_seconds === 0) throw new NotChecked('needs --to and --reply, and somebody who writes');
  const heard = await listening(session);
  const { params } = await talk(session);
  const isIts = (data: MessageData) => data.conversation?.id === params.conversation_id;
  const arrival = await awaitEvent(session, heard, 'message.received', isIts, reply_seconds * 1000);
  if (!arrival) throw new NotChecked(`nobody wrote from ${to} in time, or it was not told`);
  assertGenuine(arrival, heard, params.conversation_id);
}

interface MessageData {
  message?: { id?: string; status?: string };
  conversation?: { id?: string };
}

function awaitEvent(
  session: Session,
  { arrivals }: Heard,
  type: string,
  isIts: (data: MessageData) => boolean,
  wait_ms?: number,
): Promise<Arrival | undefined> {
  const find = async () => arrivals.find((one) => isEvent(one, type, isIts));
  return until(session, find, (found) => found !== undefined, wait_ms);
}

function assertGenuine(arrival: Arrival, { secret }: Heard, conversation_id: string): void {
  const event = JSON.parse(arrival.body.toString());
  assertEvent(event);
  assertSame(event.data.conversation.id, conversation_id, 'the conversation');
  const fault = signatureFault(arrival, secret);
  assertThat(fault === undefined, 'a signature of the raw bytes by the secret', fault);
}

function isEvent({ body }: Arrival, type: string, isIts: (data: MessageData) => boolean): boolean {
  const event = JSON.parse(body.toString());
  return event.type === type && isIts(event.data ?? {});
}
