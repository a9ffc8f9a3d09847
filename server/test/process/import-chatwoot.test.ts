import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { operatorToken } from '@majlis/testing/operator';
import { receiveMessage } from '@majlis/testing/receive-message';
import { makeFolder, runMajlis } from '@majlis/testing/start-process';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const file = { users: [{ name: 'Salma', email: 'salma@acme.example', role: 'agent' }], assignment: 'none' };
const start = Date.parse('2024-03-05T09:00:00Z') / 1000;
const all = 'message.received,message.status_updated,contact.created,contact.updated,note.added,conversation.assigned';

const contact = (id: number, more: object = {}) => ({
  id,
  name: `Customer ${id}`,
  email: null,
  phone_number: `+9689127${String(id).padStart(4, '0')}`,
  custom_attributes: {},
  ...more,
});
const conversation = (id: number, sender: object, more: object = {}) => {
  const { assignee, ...members } = more as { assignee?: object };
  return { id, account_id: 3, inbox_id: 1, status: 'resolved', labels: [], meta: { sender, assignee }, ...members };
};
const message = (id: number, conversation_id: number, message_type: number, content: string, more: object = {}) => ({
  ...{ id, conversation_id, message_type, content, created_at: start + id, private: false, inbox_id: 1 },
  ...more,
});
const salma = { type: 'user', name: 'Salma', email: 'salma@acme.example' };

/** A folder with answers of the API, as `curl` saves them. */
async function saveExport(files: Record<string, unknown>): Promise<string> {
  const folder = await makeFolder();
  await mkdir(path.join(folder, 'messages'));
  for (const [name, value] of Object.entries(files)) await writeFile(path.join(folder, name), JSON.stringify(value));
  return folder;
}

async function run(folder: string, { id }: TestWorkspace, ...more: string[]) {
  const args = ['import-chatwoot', folder, '--workspace', id, '--url', majlis.url, ...more];
  return runMajlis(args, { env: { OPERATOR_TOKEN: operatorToken } });
}

const read = async (folder: string, workspace: TestWorkspace, ...more: string[]): Promise<AnyJson> => {
  const { code, stdout, stderr } = await run(folder, workspace, '--json', ...more);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
};

const [muna, ali] = [contact(1, { email: 'muna@example.com' }), contact(2)];
const small = {
  'contacts-1.json': { meta: { count: 3 }, payload: [muna, ali, contact(3, { phone_number: null })] },
  'conversations-1.json': {
    data: {
      meta: {},
      payload: [
        conversation(11, muna, { labels: ['vip'], assignee: salma }),
        conversation(12, ali, { status: 'open', assignee: salma }),
      ],
    },
  },
  'messages/11.json': {
    meta: {},
    payload: [
      message(101, 11, 0, 'Where is my order?'),
      // The messages of one second keep their order.
      message(102, 11, 1, 'It leaves today.', { sender: salma, created_at: start + 101 }),
      message(103, 11, 2, 'Salma resolved the conversation'),
      message(104, 11, 1, 'Check the warehouse', { private: true }),
      message(105, 11, 1, '', {
        attachments: [{ file_type: 'image', data_url: 'https://x.example/a/receipt%201.png' }],
      }),
    ],
  },
  'messages/12.json': { meta: {}, payload: [message(106, 12, 0, 'مرحبا')] },
};

describe('majlis import-chatwoot', () => {
  it('brings contacts, conversations and messages with their times, and doubles nothing', async () => {
    const workspace = await majlis.workspace(file);
    const { api } = workspace;
    const receiver = await startWebhookReceiver();
    await api.post('/webhook-endpoints', { url: receiver.url, events: all.split(',') });
    const folder = await saveExport(small);
    const planned = await read(folder, workspace, '--dry-run');
    assert.deepEqual([planned.would_import.contacts, planned.would_import.messages], [2, 7]);
    assert.equal((await api.get('/contacts')).body.data.length, 0);

    const first = await read(folder, workspace);
    assert.deepEqual(first, {
      contacts_created: 2,
      contacts_known: 0,
      conversations_created: 2,
      messages_stored: 7,
      messages_known: 0,
      contacts_without_phone: 1,
      activities: 1,
      empty_messages: 0,
      failed: [],
    });
    const before = await state();
    const again = await read(folder, workspace);
    assert.deepEqual([again.contacts_created, again.contacts_known, again.conversations_created], [0, 2, 0]);
    assert.deepEqual([again.messages_stored, again.messages_known], [0, 7]);
    assert.deepEqual(await state(), before);

    const [open, closed] = before.conversations;
    assert.deepEqual([open.status, closed.status], ['open', 'closed']);
    assert.equal(closed.last_message_at, new Date((start + 105) * 1000).toISOString());
    assert.equal(closed.last_customer_at, new Date((start + 101) * 1000).toISOString());
    for (const one of [open, closed]) assert.deepEqual([one.unread_count, one.window_expires_at], [0, undefined]);
    const [{ id: user_id }] = (await api.get('/users')).body.data;
    assert.deepEqual([open.assignee_id, closed.tags], [user_id, ['vip']]);
    const thread = (await api.get(`/conversations/${closed.id}/messages`)).body.data;
    assert.deepEqual(
      thread.map((one: AnyJson) => [one.direction, one.kind, one.body, one.actor_kind, one.status]),
      [
        ['outbound', 'note', 'Imported from Chatwoot, conversation 11', 'import', undefined],
        ['inbound', 'text', 'Where is my order?', 'contact', undefined],
        ['outbound', 'text', 'It leaves today.', 'user', undefined],
        ['outbound', 'note', 'Check the warehouse', 'import', undefined],
        ['outbound', 'text', '[image: receipt 1.png]', 'import', undefined],
      ],
    );
    assert.equal(thread[1].created_at, new Date((start + 101) * 1000).toISOString());
    assert.equal(before.contacts.find(({ name }: AnyJson) => name === 'Customer 1').email, 'muna@example.com');

    // Nothing is sent, counted or told.
    assert.deepEqual((await api.get(`/events?types=${all}`)).body.data, []);
    assert.equal(receiver.arrivals.length, 0);
    const dates = 'from=2024-03-01&to=2024-03-31';
    assert.equal((await api.get(`/usage?${dates}`)).body.messages_sent, 0);
    assert.equal((await api.get(`/analytics/messages?${dates}`)).body.sent, 0);
    const [jobs] = await majlis.sql(`select count(*)::int as left from jobs where kind = 'messages.deliver'`);
    assert.equal(jobs!.left, 0);

    async function state(): Promise<AnyJson> {
      const contacts = (await api.get('/contacts')).body.data;
      const conversations = (await api.get('/conversations')).body.data;
      const threads = await Promise.all(
        conversations.map(async ({ id }: AnyJson) => (await api.get(`/conversations/${id}/messages`)).body.data),
      );
      return { contacts, conversations, threads };
    }
  });

  it('puts history before what is there already, and leaves what people changed', async () => {
    const workspace = await majlis.workspace(file);
    const { api } = workspace;
    const { conversation_id, contact_id } = await receiveMessage(majlis, workspace, '96891270001');
    await api.request('PATCH', `/contacts/${contact_id}`, { name: 'Muna al Said', tags: ['gold'] });
    const before = (await api.get(`/conversations/${conversation_id}`)).body;
    const result = await read(await saveExport(small), workspace);
    assert.deepEqual([result.contacts_created, result.contacts_known, result.conversations_created], [1, 1, 1]);
    assert.deepEqual((await api.get(`/conversations/${conversation_id}`)).body, before);
    const known = (await api.get(`/contacts/${contact_id}`)).body;
    assert.deepEqual([known.name, known.tags, known.email], ['Muna al Said', ['gold'], undefined]);
    const thread = (await api.get(`/conversations/${conversation_id}/messages`)).body.data;
    assert.deepEqual([thread.length, thread.at(-1).body], [6, 'Hello']);
  });

  it('brings long histories in parts, and makes them searchable among the messages of today', async () => {
    const workspace = await majlis.workspace(file);
    await receiveMessage(majlis, workspace, '96891270099');
    const many = Array.from({ length: 1_201 }, (_, n) => message(n + 1, 21, n % 2, `Palaver ${n}`));
    const folder = await saveExport({
      'conversations.json': { data: { payload: [conversation(21, contact(21), { status: 'open' })] } },
      'messages/21.json': { payload: many },
    });
    const result = await read(folder, workspace);
    assert.deepEqual([result.contacts_created, result.contacts_known, result.messages_stored], [1, 0, 1_202]);
    assert.equal((await read(folder, workspace)).messages_stored, 0);
    // The job fills the index again, also behind what it had indexed.
    await majlis.advance(60);
    await eventually(
      () =>
        majlis.sql(`select count(*)::int as found from message_search s join messages m
          on m.workspace_id = s.workspace_id and m.id = s.message_id where m.body like 'Palaver %'`),
      ([row]) => row!.found === 1_201,
    );
  });

  it('says which contacts were not imported and why, and imports the others', async () => {
    const workspace = await majlis.workspace(file);
    const folder = await saveExport({
      'contacts.json': { payload: [contact(31, { phone_number: 'none' }), contact(32, { email: 'no address' })] },
    });
    const { code, stderr, stdout } = await run(folder, workspace);
    assert.equal(code, 1);
    assert.match(stderr, /contact 31: invalid_phone/);
    assert.match(stdout, /contacts created +1/);
    for (const [place, reason] of [
      [path.join(folder, 'absent'), /no such file/],
      [await saveExport({ 'other.json': { a: 1 } }), /has no contacts/],
    ] as const) {
      const ended = await run(place, workspace);
      assert.equal(ended.code, 1);
      assert.match(ended.stderr, reason);
    }
  });
});

describe('POST /operator/workspaces/{id}/history', () => {
  it('refuses what is no history, and stores nothing of it', async () => {
    const workspace = await majlis.workspace(file);
    const at = '2024-03-05T09:00:00Z';
    const of = (messages: object[]) => [{ phone: '+96891270500', conversation: { status: 'open', messages } }];
    const text = { number: 1, at, kind: 'inbound', body: 'x' };
    const bodies = [
      { source: 's', contacts: of([{ ...text, at: '2999-01-01T00:00:00Z' }]) },
      { source: 's', contacts: of([{ ...text, at: '1999-01-01T00:00:00Z' }]) },
      { source: 's', contacts: of([text, text]) },
      { source: 's', contacts: of([{ ...text, number: 0 }]) },
      { source: 's', contacts: of([{ ...text, kind: 'call' }]) },
      { source: 's', contacts: of([text]), channel_id: 'ch_none' },
      { source: 's', contacts: Array.from({ length: 101 }, () => ({ phone: '+96891270500' })) },
      { source: '', contacts: [] },
    ];
    for (const body of bodies) {
      const reply = await majlis.operator('POST', `/workspaces/${workspace.id}/history`, body);
      assert.equal(reply.status, 422, JSON.stringify(body));
    }
    const empty = { source: 's', contacts: [] };
    assert.equal((await majlis.operator('POST', '/workspaces/ws_none/history', empty)).status, 404);
    assert.deepEqual((await workspace.api.get('/contacts')).body.data, []);
  });
});
