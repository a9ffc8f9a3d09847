import { EventEnvelope, events, operations } from '@majlis/contract';
import { describeResponse } from '../api-response.ts';
import { defineArea } from '../clause.ts';
import { findApprovedTemplate, openTestConversation, templateBody } from '../conversation-fixtures.ts';
import { findSchemaFaults } from '../find-schema-faults.ts';
import { findSignatureFault, type ReceivedRequest } from '../receive-events.ts';
import { expectRefusal, expectSuccess, pollUntil, rethrowBroken, type Session, shareFixture } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

export const webhooksArea = defineArea('webhooks', [
  [
    'secret',
    'The secret (whsec_…) is shown in full in the registration response.',
    async (session) => {
      const { secret } = await rethrowBroken(shareUnreachableEndpoint(session));
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
      const { id, secret } = await shareUnreachableEndpoint(session);
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
          describeResponse(answer),
        );
      }
    },
  ],
  [
    'update',
    'PATCH changes url, events, enabled.',
    async (session) => {
      const params = { endpoint_id: (await shareUnreachableEndpoint(session)).id };
      const body = { events: ['message.received'], enabled: false };
      const { events: types, enabled } = await expectSuccess(session, 'updateWebhookEndpoint', { params, body });
      assertSame({ events: types, enabled }, body, 'events and enabled');
      const { data } = await expectSuccess(session, 'listWebhookEndpoints');
      assertSame(data.find(({ id }) => id === params.endpoint_id)?.enabled, false, 'enabled, in the list:');
    },
  ],
  ['delete', 'DELETE removes the endpoint: 204.', checkDelete],
  ['test', 'POST …/test answers 200 with a delivery attempt record.', checkTestCall],
  [
    'signature',
    'Service-Signature: t=<unix_seconds>,v1=<hex HMAC-SHA256 of t.body keyed with the secret>.',
    async (session) => {
      const { requests, secret } = await testReceivingEndpoint(session);
      for (const request of requests) {
        const fault = findSignatureFault(request, secret);
        assertThat(fault === undefined, 'a signature of the raw bytes by the secret', fault);
      }
    },
  ],
  [
    'envelope',
    'Envelope: id, type, created_at, workspace_id, api_version, data.',
    async (session) => {
      const { requests } = await testReceivingEndpoint(session);
      for (const { body } of requests) assertEvent(JSON.parse(body.toString()));
    },
  ],
  [
    'deliveries',
    'GET …/deliveries lists the attempts.',
    async (session) => {
      const { params, requests } = await testReceivingEndpoint(session);
      const { id: event_id } = JSON.parse(requests[0]!.body.toString());
      const { data } = await expectSuccess(session, 'listWebhookDeliveries', { params });
      const attempt = data.find((one) => one.event_id === event_id);
      assertSame(attempt?.response_status, 204, `response_status of the attempt for ${event_id}`);
    },
  ],
  ['status_event', 'Delivery updates arrive as message.status_updated events.', checkStatusEvent],
  ['received_event', 'message.received: an inbound message.', checkReceivedEvent],
]);

/** An endpoint under a host name that cannot exist: events of the run reach nobody. */
function shareUnreachableEndpoint(session: Session) {
  return shareFixture(session, 'webhook endpoint', () => register(session, 'https://receiver.invalid/conform'));
}

async function register(session: Session, url: string) {
  const types = ['message.received'];
  const endpoint = await expectSuccess(session, 'createWebhookEndpoint', {
    body: { url, events: types, description: session.run_name },
  });
  if (endpoint.secret) session.secrets.add(endpoint.secret);
  const params = { endpoint_id: endpoint.id };
  session.cleanUps.push(async () => {
    const { status } = await session.client.call(operations.deleteWebhookEndpoint, { params });
    return status === 204 || status === 404 ? undefined : `webhook endpoint ${endpoint.id}`;
  });
  return endpoint;
}

async function checkDelete(session: Session): Promise<void> {
  const { id } = await register(session, 'https://removed.invalid/conform');
  await expectSuccess(session, 'deleteWebhookEndpoint', { params: { endpoint_id: id } });
  const { data } = await expectSuccess(session, 'listWebhookEndpoints');
  assertThat(!data.some((one) => one.id === id), `no ${id} in the list`, data);
  await expectRefusal(session, 'listWebhookDeliveries', { params: { endpoint_id: id } }, [404]);
}

interface ReceivingEndpoint {
  params: { endpoint_id: string };
  secret: string;
  requests: ReceivedRequest[];
}

/** An endpoint for all events that this process receives. */
function openReceivingEndpoint(session: Session): Promise<ReceivingEndpoint> {
  return shareFixture(session, 'endpoint to listen at', async () => {
    const { receiver, options } = session;
    if (receiver === undefined) throw new NotChecked('needs --webhook-port');
    const endpoint = await register(session, options.webhook_url ?? `http://127.0.0.1:${receiver.port}/conform`);
    const params = { endpoint_id: endpoint.id };
    await expectSuccess(session, 'updateWebhookEndpoint', { params, body: { events: ['*'] } });
    return { params, secret: endpoint.secret ?? '', requests: receiver.requests };
  });
}

function testReceivingEndpoint(session: Session): Promise<ReceivingEndpoint> {
  return shareFixture(session, 'test event', async () => {
    const endpoint = await openReceivingEndpoint(session);
    await expectSuccess(session, 'testWebhookEndpoint', { params: endpoint.params });
    const arrived = await pollUntil(
      session,
      async () => endpoint.requests.length,
      (count) => count > 0,
    );
    if (arrived === 0) throw new NotChecked('the endpoint received nothing: is it reachable under --webhook-url?');
    return endpoint;
  });
}

async function checkTestCall(session: Session): Promise<void> {
  const { params } = await openReceivingEndpoint(session);
  const attempt = await expectSuccess(session, 'testWebhookEndpoint', { params });
  assertSame(attempt.response_status, 204, 'response_status');
}

function assertEvent(event: unknown): void {
  const faults = findSchemaFaults(EventEnvelope, event);
  assertThat(faults.length === 0, 'an event in its envelope', faults.join('; '));
  const { id, type, api_version, data } = event as EventEnvelope;
  assertThat(id.startsWith('evt_'), 'an id that begins with evt_', id);
  assertThat(/^\d{4}-\d\d-\d\d$/.test(api_version), 'api_version, a date', api_version);
  // The shape of a template event is open.
  if (type !== 'message.received' && type !== 'message.status_updated') return;
  const of = findSchemaFaults(events[type].data, data);
  assertThat(of.length === 0, `the data of ${type}`, of.join('; '));
}

async function checkStatusEvent(session: Session): Promise<void> {
  if (session.options.to === undefined) throw new NotChecked('needs --to');
  const endpoint = await openReceivingEndpoint(session);
  const { params } = await openTestConversation(session);
  const body = templateBody(await findApprovedTemplate(session));
  const { id } = await expectSuccess(session, 'sendConversationMessage', { params, body });
  const isExpected = (data: MessageData) => data.message?.id === id;
  const request = await awaitEvent(session, endpoint, 'message.status_updated', isExpected);
  const { status } = await expectSuccess(session, 'getMessage', { params: { message_id: id } });
  if (!request && status === 'queued') throw new NotChecked('the message stayed queued');
  assertThat(request !== undefined, 'message.status_updated', `none, but the status is ${status}`);
  assertGenuine(request, endpoint, params.conversation_id);
}

async function checkReceivedEvent(session: Session): Promise<void> {
  const { to, reply_seconds = 0 } = session.options;
  if (to === undefined || reply_seconds === 0) throw new NotChecked('needs --to and --reply, and a person who writes');
  const endpoint = await openReceivingEndpoint(session);
  const { params } = await openTestConversation(session);
  const isExpected = (data: MessageData) => data.conversation?.id === params.conversation_id;
  const request = await awaitEvent(session, endpoint, 'message.received', isExpected, reply_seconds * 1000);
  if (!request) throw new NotChecked(`nobody wrote from ${to} in time, or the event did not arrive`);
  assertGenuine(request, endpoint, params.conversation_id);
}

interface MessageData {
  message?: { id?: string; status?: string };
  conversation?: { id?: string };
}

function awaitEvent(
  session: Session,
  { requests }: ReceivingEndpoint,
  type: string,
  isExpected: (data: MessageData) => boolean,
  wait_ms?: number,
): Promise<ReceivedRequest | undefined> {
  const find = async () => requests.find((one) => isEvent(one, type, isExpected));
  return pollUntil(session, find, (found) => found !== undefined, wait_ms);
}

function assertGenuine(request: ReceivedRequest, { secret }: ReceivingEndpoint, conversation_id: string): void {
  const event = JSON.parse(request.body.toString());
  assertEvent(event);
  assertSame(event.data.conversation.id, conversation_id, 'the conversation');
  const fault = findSignatureFault(request, secret);
  assertThat(fault === undefined, 'a signature of the raw bytes by the secret', fault);
}

function isEvent({ body }: ReceivedRequest, type: string, isExpected: (data: MessageData) => boolean): boolean {
  const event = JSON.parse(body.toString());
  return event.type === type && isExpected(event.data ?? {});
}
