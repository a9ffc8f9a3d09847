import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventDetails } from '@majlis/contract';
import { assertRefused } from '@majlis/testing/assert-refused';
import { openEventStream } from '@majlis/testing/event-stream';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { addPlatformFile, samples } from '@majlis/testing/media';
import { messageReceiver, receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { startWebhookReceiver, type WebhookReceiver } from '@majlis/testing/webhook-receiver';
import { Compile } from 'typebox/compile';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', LIVE_HEARTBEAT_SECONDS: '1' } });

/** Two endpoints for the same events: with the details, and without. */
async function startReceivers({ api }: TestWorkspace, events: string[]) {
  const [full, basic] = [await startWebhookReceiver(), await startWebhookReceiver()];
  const endpoint = await api.post('/webhook-endpoints', { url: full.url, events, event_data: 'full' });
  assert.equal(endpoint.status, 201, endpoint.text);
  assert.equal(endpoint.body.event_data, 'full');
  const other = await api.post('/webhook-endpoints', { url: basic.url, events });
  assert.ok(!('event_data' in other.body));
  return { full, basic, endpoint_id: endpoint.body.id as string };
}

const arrived = (receiver: WebhookReceiver, type: string, count = 1): Promise<AnyJson[]> =>
  eventually(
    () => receiver.arrivals.map(({ event }) => event).filter((event) => event.type === type),
    (events) => events.length >= count,
  );

describe('the details of events', () => {
  it('say who wrote, through which channel, and which button was chosen', async () => {
    const workspace = await majlis.workspace();
    const { full, basic } = await startReceivers(workspace, ['message.received']);
    const receive = messageReceiver(majlis, workspace);
    const digits = '96891250001';
    const chosen = await receive(digits, 'interactive', {
      type: 'button_reply',
      button_reply: { id: 'keep', title: 'Keep it' },
    });
    const row = await receive(digits, 'interactive', { type: 'list_reply', list_reply: { id: 'b1', title: 'Olaya' } });
    await receive(digits, 'button', { text: 'Thanks', payload: 'CONFIRM' });
    const events = await arrived(full, 'message.received', 3);
    const [first] = events.filter(({ data }) => data.message.id === chosen.id);
    const contact = { id: chosen.actor_id };
    assert.deepEqual(first!.data, {
      message: {
        id: chosen.id,
        direction: 'inbound',
        kind: 'interactive',
        body: 'Keep it',
        actor_kind: 'contact',
        actor_id: contact.id,
        button_id: 'keep',
        created_at: chosen.created_at,
      },
      conversation: { id: chosen.conversation_id },
      contact: { id: contact.id, channel_type: 'chatapp', identifier: `+${digits}` },
      channel: { id: workspace.channel_id },
    });
    assert.deepEqual(events.map(({ data }) => data.message.button_id).toSorted(), ['CONFIRM', 'b1', 'keep']);
    for (const { data } of events) assert.ok(Compile(eventDetails['message.received']!.data).Check(data));
    // Who did not ask for them gets the contract's shape.
    const plain = await arrived(basic, 'message.received', 3);
    const { data } = plain.find(({ data }) => data.message.id === row.id)!;
    const message = { id: row.id, direction: 'inbound', kind: 'interactive', body: 'Olaya' };
    assert.deepEqual(data, { message, conversation: { id: row.conversation_id } });
  });

  it('have the file of a message, and the failure and the broadcast of a sent one', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const { full } = await startReceivers(workspace, ['*', 'media.ready', 'note.added', 'conversation.closed']);
    const bytes = samples.pdf;
    const id = await addPlatformFile(majlis, workspace, bytes, { type: 'application/pdf', filename: 'a.pdf' });
    const sent = await messageReceiver(majlis, workspace)('96891250011', 'document', { id, filename: 'a.pdf' });
    const [received] = await arrived(full, 'message.received');
    const { media_id } = (await api.get(`/messages/${sent.id}`)).body;
    const { message } = received!.data;
    assert.deepEqual(
      [message.media_id, message.mime, message.filename, message.size_bytes],
      [media_id, 'application/pdf', 'a.pdf', bytes.length],
    );
    const [ready] = await arrived(full, 'media.ready');
    assert.deepEqual([ready!.data.message.filename, ready!.data.contact.identifier], ['a.pdf', '+96891250011']);
    const { conversation_id } = sent;
    await api.post(`/conversations/${conversation_id}/notes`, { body: 'x' });
    await api.post(`/conversations/${conversation_id}/close`, {});
    for (const type of ['note.added', 'conversation.closed']) {
      const [event] = await arrived(full, type);
      assert.equal(event!.data.contact.identifier, '+96891250011', type);
    }

    // The simulator fails messages to this number.
    const broadcast = {
      name: 'News',
      template: { name: 'order_update', language: 'en' },
      audience: { recipients: [{ to: '+96890131026', params: ['Muna', 'A-1'] }] },
    };
    const { body } = await api.post('/broadcasts', broadcast);
    const failed = await eventually(
      async () => (await arrived(full, 'message.status_updated')).find(({ data }) => data.message.status === 'failed'),
      (event) => event !== undefined,
    );
    assert.deepEqual(failed!.data.broadcast, { id: body.id });
    assert.match(failed!.data.message.error, /131026/);
    for (const event of await arrived(full, 'message.status_updated')) {
      if (event.data.message.status !== 'failed') assert.equal(event.data.message.error, undefined);
    }
  });

  it('come from the feed where its reader asks for them, as a page, a stream and one event', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    await receiveMessage(majlis, workspace, '96891250021');
    const [plain] = (await api.get('/events')).body.data;
    const [full] = (await api.get('/events?event_data=full')).body.data;
    assert.equal(full.data.contact.identifier, '+96891250021');
    const { contact: _, channel: __, ...rest } = full.data;
    const { actor_kind, actor_id, created_at, ...message } = rest.message;
    assert.deepEqual({ ...full, data: { ...rest, message } }, plain);
    assert.deepEqual([actor_kind, actor_id, created_at], ['contact', full.data.contact.id, plain.created_at]);
    assert.deepEqual((await api.get(`/events/${plain.id}?event_data=full`)).body, full);
    assert.deepEqual((await api.get(`/events/${plain.id}`)).body, plain);
    assert.deepEqual((await api.get('/events?event_data=basic')).body.data, [plain]);
    const stream = await openEventStream(majlis.url, workspace.key, { query: '?event_data=full' });
    const [streamed] = await eventually(
      () => stream.events,
      (events) => events.length > 0,
    );
    stream.cut();
    assert.deepEqual(JSON.parse(streamed!.data), full);
    for (const path of ['/events?event_data=all', `/events/${plain.id}?event_data=`]) {
      assertRefused(await api.get(path), 422);
    }
  });

  it('are gone for an erased contact, also from what still waits for its receiver', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const { full, endpoint_id } = await startReceivers(workspace, ['*', 'contact.erased', 'contact.updated']);
    full.answer(503);
    const { contact_id } = await receiveMessage(majlis, workspace, '96891250031');
    await api.request('PATCH', `/contacts/${contact_id}`, { name: 'A secret name' });
    const [updated] = await arrived(full, 'contact.updated');
    assert.deepEqual(updated!.data, { contact: { id: contact_id, name: 'A secret name' }, changed: ['name'] });
    const event_id = (await arrived(full, 'message.received'))[0]!.id;
    assert.equal((await api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    full.answer(200);
    full.arrivals.length = 0;
    await majlis.advance(120);
    const [erased] = await arrived(full, 'contact.erased');
    assert.deepEqual(erased!.data, { contact: { id: contact_id } });
    assert.equal((await api.post(`/events/${event_id}/resend`, { endpoint_id })).status, 404);
    const feed = await api.get('/events?event_data=full&types=message.received,contact.updated,contact.erased');
    assert.doesNotMatch(`${feed.text}${full.arrivals.map(({ body }) => body).join()}`, /secret|96891250031/);
    const stored = await majlis.sql('select from events where payload like $1', ['%A secret name%']);
    assert.equal(stored.length, 0);
  });
});

describe('an endpoint', () => {
  it('turns the details on and off, for the attempts from then on', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    const receiver = await startWebhookReceiver();
    const { id } = (await api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] })).body;
    const change = (event_data: unknown) => api.request('PATCH', `/webhook-endpoints/${id}`, { event_data });
    assert.equal((await change('full')).body.event_data, 'full');
    assert.equal((await api.get('/webhook-endpoints')).body.data[0].event_data, 'full');
    await api.post('/messages', { to: '+96891250041', ...templateMessage });
    const [sent] = await arrived(receiver, 'message.status_updated');
    assert.equal(sent!.data.contact.identifier, '+96891250041');
    await api.post(`/webhook-endpoints/${id}/test`);
    const [test] = await arrived(receiver, 'message.received');
    assert.equal(test!.data.contact.name, 'Muna');
    assert.equal(test!.data.message.body, 'When will it arrive?');
    assert.ok(!('event_data' in (await change('basic')).body));
    await receiveMessage(majlis, workspace, '96891250042');
    const received = (await arrived(receiver, 'message.received', 2)).at(-1);
    assert.deepEqual(Object.keys(received!.data), ['message', 'conversation']);
    for (const wrong of ['all', '']) assertRefused(await change(wrong), 422);
    const made = { url: receiver.url, events: ['*'], event_data: 'everything' };
    assertRefused(await api.post('/webhook-endpoints', made), 422);
  });
});
