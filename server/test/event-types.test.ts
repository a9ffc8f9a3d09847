import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extensionEvents } from '@majlis/contract';
import { assertRefused } from '@majlis/testing/assert-refused';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { addPlatformFile, samples } from '@majlis/testing/media';
import { receiveText } from '@majlis/testing/notifications';
import { messageReceiver, receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { changeAtPlatform } from '@majlis/testing/templates';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import { Compile } from 'typebox/compile';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const types = Object.keys(extensionEvents) as (keyof typeof extensionEvents)[];
const contractTypes = ['message.received', 'message.status_updated', 'template.status_updated'];

const file = {
  users: [{ name: 'Salma', email: 'salma@acme.example', role: 'agent' }],
  closing_categories: [{ name: 'Solved' }],
  assignment: 'none',
};

/** The events of the feed of these types, without what differs in every run. */
async function read({ api }: TestWorkspace, of: readonly string[] = types): Promise<AnyJson[]> {
  const { status, body, text } = await api.get(`/events?types=${of.join()}&limit=100`);
  assert.equal(status, 200, text);
  for (const { type, data } of body.data) {
    if (type in extensionEvents) assert.deepEqual(Compile(extensionEvents[type as 'note.added'].data).Errors(data), []);
  }
  return body.data;
}
const until = (workspace: TestWorkspace, of: readonly string[], count: number) =>
  eventually(
    () => read(workspace, of),
    (events) => events.length >= count,
  );
const dataOf = async (workspace: TestWorkspace, ...of: string[]) => (await read(workspace, of)).map(({ data }) => data);

describe('the events of conversations', () => {
  it('tell of assignment, closing, reopening and handing over, with who did it', async () => {
    const workspace = await majlis.workspace({ ...file, ai_agents: [{ name: 'Helper', languages: ['en'] }] });
    const { api } = workspace;
    const { conversation_id } = await receiveMessage(majlis, workspace, '96891240001');
    const conversation = { id: conversation_id };
    await act('assign', { assignee_id: (await api.get('/users')).body.data[0].id });
    await act('assign', { assignee_id: null });
    const assigned = await dataOf(workspace, 'conversation.assigned');
    assert.deepEqual(
      assigned.map(({ assignee_id }) => assignee_id === null),
      [false, true],
    );
    const { actor } = assigned[0];
    assert.equal(actor.kind, 'api_key');
    // A value that stays is no change.
    await act('assign', { assignee_id: null });
    assert.equal((await dataOf(workspace, 'conversation.assigned')).length, 2);

    // An agent answers what waits for an answer.
    await api.post(`/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Hello' });
    await act('handover', { to: 'bot', ai_agent_id: (await api.get('/ai/agents')).body.data[0].id });
    await act('handover', { to: 'human' });
    assert.deepEqual(await dataOf(workspace, 'conversation.handed_over'), [
      { conversation, controller: 'bot', actor },
      { conversation, controller: 'human', actor },
    ]);

    await act('close', { summary: 'Solved' });
    await act('close', {});
    assert.deepEqual(await dataOf(workspace, 'conversation.closed'), [{ conversation, summary: 'Solved', actor }]);
    await act('reopen', {});
    await act('close', {});
    const from = '96891240001';
    await messageReceiver(majlis, workspace)(from, 'text', 'Again');
    await act('close', {});
    assert.equal((await api.post('/messages', { to: `+${from}`, ...templateMessage })).status, 201);
    assert.equal((await api.post('/messages', { to: `+${from}`, ...templateMessage })).status, 201);
    assert.deepEqual(await dataOf(workspace, 'conversation.reopened'), [
      { conversation, actor },
      { conversation, actor: { kind: 'contact' } },
      { conversation, actor },
    ]);

    async function act(what: string, body: object): Promise<AnyJson[]> {
      const { status, text } = await api.post(`/conversations/${conversation_id}/${what}`, body);
      assert.equal(status, 200, text);
      return read(workspace);
    }
  });

  it('tell of an assignment in turn', async () => {
    const workspace = await majlis.workspace({ ...file, assignment: 'round_robin' });
    const { conversation_id } = await receiveMessage(majlis, workspace, '96891240002');
    const [{ data }] = await until(workspace, ['conversation.assigned'], 1);
    assert.equal(data.conversation.id, conversation_id);
    assert.deepEqual(data.actor, { kind: 'system' });
  });

  it('tell of a note, and of the file of a message', async () => {
    const workspace = await majlis.workspace(file);
    const { conversation_id } = await receiveMessage(majlis, workspace, '96891240003');
    const note = await workspace.api.post(`/conversations/${conversation_id}/notes`, { body: 'Asked for the invoice' });
    const conversation = { id: conversation_id };
    assert.deepEqual(await dataOf(workspace, 'note.added'), [
      { message: { id: note.body.id, body: 'Asked for the invoice' }, conversation },
    ]);
    const id = await addPlatformFile(majlis, workspace, samples.jpeg, { type: 'image/jpeg' });
    const message = await messageReceiver(majlis, workspace)('96891240003', 'image', { id });
    const [{ data }] = await until(workspace, ['media.ready'], 1);
    assert.deepEqual(
      [data.message, data.conversation, data.media.mime],
      [{ id: message.id }, conversation, 'image/jpeg'],
    );
    const { media_id } = (await workspace.api.get(`/messages/${message.id}`)).body;
    assert.equal(data.media.id, media_id);
  });
});

describe('the events of contacts', () => {
  it('tell of creation by a message, a send and an import, of changes and of merges', async () => {
    const workspace = await majlis.workspace(file);
    const { api } = workspace;
    const { contact_id } = await receiveMessage(majlis, workspace, '96891240011');
    await receiveMessage(majlis, workspace, '96891240011');
    await api.post('/messages', { to: '+96891240012', ...templateMessage });
    const rows = ['+96891240013', '+96891240011'].map((identifier) => {
      return { identities: [{ channel_type: 'chatapp', identifier }], tags: ['vip'] };
    });
    assert.equal((await api.post('/contacts/import', { contacts: rows })).body.created, 1);
    const created = await dataOf(workspace, 'contact.created');
    assert.equal(created.length, 3);
    assert.deepEqual(created[0], { contact: { id: contact_id } });
    await api.request('PATCH', `/contacts/${contact_id}`, { vip: true, name: 'Muna', tags: ['vip'] });
    await api.request('PATCH', `/contacts/${contact_id}`, { vip: true });
    await api.post('/contacts', {
      identities: ['+96891240011', '+96891240019'].map((identifier) => ({ channel_type: 'chatapp', identifier })),
    });
    const contact = { id: contact_id };
    assert.deepEqual(await dataOf(workspace, 'contact.updated'), [
      { contact, changed: ['tags'] },
      { contact, changed: ['name', 'vip'] },
      { contact, changed: ['identities'] },
    ]);
    const source_contact_id = created[1].contact.id;
    assert.equal((await api.post(`/contacts/${contact_id}/merge`, { source_contact_id })).status, 200);
    assert.deepEqual(await dataOf(workspace, 'contact.merged'), [{ contact, source_contact_id }]);
  });

  it('are erased with the contact, and leave one event with its id alone', async () => {
    const workspace = await majlis.workspace(file);
    const { api } = workspace;
    const { contact_id, conversation_id } = await receiveMessage(majlis, workspace, '96891240021');
    await api.post(`/conversations/${conversation_id}/notes`, { body: 'A secret' });
    await api.post(`/conversations/${conversation_id}/close`, { summary: 'A secret' });
    await api.request('PATCH', `/contacts/${contact_id}`, { name: 'Muna' });
    assert.equal((await read(workspace)).length, 4);
    assert.equal((await api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    const left = await read(workspace, [...types, ...contractTypes]);
    assert.deepEqual(
      left.map(({ type, data }) => ({ type, data })),
      [{ type: 'contact.erased', data: { contact: { id: contact_id } } }],
    );
    const [stored] = await majlis.sql('select payload from events where payload like $1', ['%secret%']);
    assert.equal(stored, undefined);
  });
});

describe('the events of broadcasts, templates and channels', () => {
  it('tell that a broadcast has ended', async () => {
    const workspace = await majlis.workspace(file);
    const { api } = workspace;
    const broadcast = {
      name: 'News',
      template: { name: 'order_update', language: 'en' },
      audience: { recipients: [{ to: '+96891240031', params: ['Muna', 'A-1'] }] },
    };
    const { id } = (await api.post('/broadcasts', broadcast)).body;
    await until(workspace, ['broadcast.finished'], 1);
    const later = (await api.post('/broadcasts', { ...broadcast, send_at: '2090-01-01T00:00:00Z' })).body;
    for (let times = 0; times < 2; times++) await api.post(`/broadcasts/${later.id}/cancel`);
    assert.deepEqual(await dataOf(workspace, 'broadcast.finished'), [
      { broadcast: { id, status: 'sent' } },
      { broadcast: { id: later.id, status: 'cancelled' } },
    ]);
  });

  it('tell of the quality of a template', async () => {
    const workspace = await majlis.workspace(file);
    await changeAtPlatform(majlis, workspace, 'order_update', { quality: 'RED' });
    const [{ data }] = await until(workspace, ['template.quality_updated'], 1);
    assert.deepEqual([data.template.name, data.template.quality], ['order_update', 'RED']);
  });

  it('tell that the platform refuses the calls of a channel, and no longer', async () => {
    const workspace = await majlis.workspace(file);
    const { api, channel_id } = workspace;
    // The simulator refuses messages to this number as if the access token had expired.
    await api.post('/messages', { to: '+96890900190', ...templateMessage });
    const [{ data }] = await until(workspace, ['channel.state_updated'], 1);
    assert.equal(data.channel.id, channel_id);
    assert.match(data.channel.fault, /190/);
    // After the pause of the channel, a message that the platform takes ends the fault.
    await majlis.advance(600);
    await api.post('/messages', { to: '+96891240041', ...templateMessage });
    const events = await until(workspace, ['channel.state_updated'], 2);
    assert.equal(events.at(-1)!.data.channel.fault, undefined);
  });

  it('tell of the state of a number', async () => {
    const workspace = await majlis.workspace(file);
    await eventually(
      async () => (await workspace.api.get(`/channels/${workspace.channel_id}`)).body.status,
      (status) => status !== undefined,
    );
    await callControl(majlis, 'PATCH', `/numbers/${workspace.phone_number_id}`, { quality_rating: 'RED' });
    const [{ data }] = await until(workspace, ['channel.state_updated'], 1);
    assert.equal(data.channel.id, workspace.channel_id);
    assert.equal(data.channel.quality, 'RED');
  });
});

describe('a webhook endpoint', () => {
  it('gets further types only where it names them: `*` stays the three of the contract', async () => {
    const workspace = await majlis.workspace(file);
    const { api } = workspace;
    const [all, some] = [await startWebhookReceiver(), await startWebhookReceiver()];
    await api.post('/webhook-endpoints', { url: all.url, events: ['*'] });
    const named = ['note.added', 'conversation.reopened'];
    const endpoint = await api.post('/webhook-endpoints', { url: some.url, events: named });
    assert.equal(endpoint.status, 201, endpoint.text);
    const { conversation_id } = await receiveMessage(majlis, workspace, '96891240051');
    await api.post(`/conversations/${conversation_id}/notes`, { body: 'x' });
    await api.post(`/conversations/${conversation_id}/close`, {});
    // A send reopens in one statement with the event and its deliveries.
    await api.post('/messages', { to: '+96891240051', ...templateMessage });
    await receiveText(majlis, workspace, '96891240051');
    await eventually(
      () => [all.arrivals.length, some.arrivals.length] as const,
      ([most, few]) => most >= 3 && few === 2,
    );
    assert.deepEqual(some.arrivals.map(({ event }) => event.type).toSorted(), named.toSorted());
    for (const { event } of all.arrivals) assert.ok(contractTypes.includes(event.type), event.type);
    const test = await api.post(`/webhook-endpoints/${endpoint.body.id}/test`);
    assert.equal(test.body.event_type, 'conversation.reopened');
    const unknown = { url: some.url, events: ['note.removed'] };
    assertRefused(await api.post('/webhook-endpoints', unknown), 422);
  });
});

describe('the feed of a key', () => {
  it('has the three types of the contract unless others are named', async () => {
    const workspace = await majlis.workspace(file);
    const { conversation_id } = await receiveMessage(majlis, workspace, '96891240061');
    await workspace.api.post(`/conversations/${conversation_id}/notes`, { body: 'x' });
    const all = (await workspace.api.get('/events')).body.data;
    assert.deepEqual(
      all.map(({ type }: AnyJson) => type),
      ['message.received'],
    );
    const named = await read(workspace, ['message.received', 'note.added']);
    assert.deepEqual(
      named.map(({ type }) => type),
      ['message.received', 'note.added'],
    );
  });
});
