import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Message } from '@majlis/contract';
import { newDigits, statusEventsOf, untilDispatched, untilStatus } from '@majlis/testing/messages';
import { type ReceivedMessage, receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { Value } from 'typebox/value';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api } = workspace;

it('a template goes out, its statuses come back, and the answer stands in the conversation', async () => {
  const digits = newDigits();
  const sent = await api.post('/messages', { to: `+${digits}`, ...templateMessage });
  assert.equal(sent.status, 201, sent.text);
  assert.equal(sent.body.status, 'queued');
  assert.equal(sent.body.body, 'Hello Muna, your order A-1042 has left.');
  await untilStatus(majlis, sent.body.id, 'read');
  assert.equal((await statusEventsOf(majlis, sent.body.id)).at(-1), 'read');

  const { conversation_id } = await receiveMessage(majlis, workspace, digits);
  assert.equal(conversation_id, sent.body.conversation_id);
  const text = await api.post(`/conversations/${conversation_id}/messages`, { kind: 'text', body: 'You are welcome' });
  assert.equal(text.status, 201, text.text);
  await untilStatus(majlis, text.body.id, 'read');
  const conversation = await api.get(`/conversations/${conversation_id}`);
  assert.equal(conversation.body.last_message_at, text.body.created_at);
  const { body } = await api.get(`/conversations/${conversation_id}/messages`);
  assert.deepEqual(
    body.data.map((message: { body: string }) => message.body),
    ['Hello Muna, your order A-1042 has left.', 'Hello', 'You are welcome'],
  );
});

describe('the platform receives', () => {
  let heard: ReceivedMessage;
  const digits = newDigits();
  before(async () => {
    heard = await receiveMessage(majlis, workspace, digits);
  });

  const yes = { type: 'reply', reply: { id: 'yes', title: 'Yes' } };
  const row = { id: 'b1', title: 'Olaya', description: 'Open 9-22' };
  type Case = [name: string, send: () => object, wire: () => object, shown: object];
  const kinds: Case[] = [
    [
      'a text',
      () => ({ kind: 'text', body: 'شكرا 🌙' }),
      () => ({ type: 'text', text: { body: 'شكرا 🌙' } }),
      { body: 'شكرا 🌙' },
    ],
    [
      'a text that quotes',
      () => ({ kind: 'text', body: 'Yes', reply_to_id: heard.message_id }),
      () => ({ type: 'text', text: { body: 'Yes' }, context: { message_id: heard.wamid } }),
      { body: 'Yes' },
    ],
    [
      'a template with its values',
      () => templateMessage,
      () => {
        const parameters = ['Muna', 'A-1042'].map((text) => ({ type: 'text', text }));
        const components = [{ type: 'body', parameters }];
        return { type: 'template', template: { name: 'order_update', language: { code: 'en' }, components } };
      },
      { body: 'Hello Muna, your order A-1042 has left.' },
    ],
    [
      'a place',
      () => ({
        kind: 'location',
        location: { latitude: 23.5859, longitude: 58.4059, name: 'Souq', address: 'Muttrah' },
      }),
      () => ({
        type: 'location',
        location: { latitude: '23.5859', longitude: '58.4059', name: 'Souq', address: 'Muttrah' },
      }),
      { body: 'Souq\nMuttrah\n23.5859,58.4059' },
    ],
    [
      'a place of two numbers',
      () => ({ kind: 'location', location: { latitude: 0, longitude: -1e-7 } }),
      () => ({ type: 'location', location: { latitude: '0', longitude: '-0.0000001' } }),
      { body: '0,-1e-7' },
    ],
    [
      'buttons',
      () => ({ kind: 'interactive', body: 'Keep it?', interactive: { type: 'buttons', buttons: [yes] } }),
      () => ({
        type: 'interactive',
        interactive: { type: 'button', body: { text: 'Keep it?' }, action: { buttons: [yes] } },
      }),
      { body: 'Keep it?' },
    ],
    [
      'flat buttons',
      () => ({ kind: 'interactive', body: 'Keep it?', interactive: { type: 'buttons', buttons: [yes.reply] } }),
      () => ({
        type: 'interactive',
        interactive: { type: 'button', body: { text: 'Keep it?' }, action: { buttons: [yes] } },
      }),
      { body: 'Keep it?' },
    ],
    [
      'a list',
      () => ({ kind: 'interactive', body: 'Which?', interactive: { type: 'list', buttons: [row] } }),
      () => ({
        type: 'interactive',
        interactive: { type: 'list', body: { text: 'Which?' }, action: { button: '☰', sections: [{ rows: [row] }] } },
      }),
      { body: 'Which?' },
    ],
    [
      'a reaction',
      () => ({ kind: 'reaction', body: '👍', reply_to_id: heard.message_id }),
      () => ({ type: 'reaction', reaction: { message_id: heard.wamid, emoji: '👍' } }),
      { body: '👍' },
    ],
    [
      'a reaction taken back',
      () => ({ kind: 'reaction', body: '', reply_to_id: heard.message_id }),
      () => ({ type: 'reaction', reaction: { message_id: heard.wamid, emoji: '' } }),
      { body: '' },
    ],
  ];
  for (const [name, send, wire, shown] of kinds) {
    it(name, async () => {
      const request = send();
      const { status, body, text } = await api.post(`/conversations/${heard.conversation_id}/messages`, request);
      assert.equal(status, 201, text);
      assert.ok(Value.Check(Message, body));
      const { id, created_at, ...stored } = body;
      const { kind, reply_to_id } = request as { kind: string; reply_to_id?: string };
      assert.deepEqual(stored, {
        conversation_id: heard.conversation_id,
        direction: 'outbound',
        kind,
        status: 'queued',
        ...(reply_to_id && { reply_to_id }),
        ...shown,
      });
      await untilStatus(majlis, id, kind === 'reaction' ? 'sent' : 'read');
      const entry = majlis.simulator.ledger().find(({ biz_opaque_callback_data }) => biz_opaque_callback_data === id);
      assert.deepEqual(entry!.body, {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: `+${digits}`,
        biz_opaque_callback_data: id,
        ...wire(),
      });
    });
  }
});

describe('a recipient', () => {
  it('is the same person in every spelling of the number, and by contact', async () => {
    const digits = newDigits();
    const local = digits.slice(3);
    const arabic = [...local].map((digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]).join('');
    const { conversation_id, contact_id } = await receiveMessage(majlis, workspace, digits);
    const spellings = [
      `+${digits}`,
      digits.replace('968', '00968 '),
      local,
      arabic,
      `+968 (${local.slice(0, 4)}) ${local.slice(4)}`,
    ];
    const names = [...spellings.map((to) => ({ to })), { contact_id }, { to: local, contact_id }];
    for (const name of names) {
      const sent = await api.post('/messages', { ...name, kind: 'text', body: 'Hi' });
      assert.equal(sent.status, 201, sent.text);
      assert.equal(sent.body.conversation_id, conversation_id, JSON.stringify(name));
    }
  });

  it('who is new becomes a contact with a conversation', async () => {
    const digits = newDigits();
    const { body } = await api.post('/messages', { to: digits.slice(3), ...templateMessage });
    const conversation = await api.get(`/conversations/${body.conversation_id}`);
    const { id, contact_id, created_at, last_message_at, ...shown } = conversation.body;
    assert.match(contact_id, /^ct_/);
    assert.equal(last_message_at, body.created_at);
    assert.deepEqual(shown, {
      channel_id: workspace.channel_id,
      channel_type: 'chatapp',
      status: 'open',
      controller: 'human',
      unread_count: 0,
      tags: [],
      contact_handle: `+${digits}`,
    });
  });

  it('with a local number is refused where the workspace’s country has no such numbers', async () => {
    const swiss = await majlis.workspace({ workspace: { name: 'Alpen', country: 'CH' } });
    const reply = await swiss.api.post('/messages', { to: '91234567', ...templateMessage });
    assertInvalid(reply, '/to');
  });

  it('is looked for in the caller’s own workspace', async () => {
    const digits = newDigits();
    const other = await majlis.workspace();
    const theirs = await receiveMessage(majlis, other, digits);
    const foreign = await api.post('/messages', { contact_id: theirs.contact_id, ...templateMessage });
    const unknown = await api.post('/messages', { contact_id: 'ct_01k9zzzzzzzzzzzzzzzzzzzzzz', ...templateMessage });
    assertInvalid(foreign, '/contact_id');
    assert.equal(foreign.text, unknown.text);
    const ours = await api.post('/messages', { to: `+${digits}`, ...templateMessage });
    assert.notEqual(ours.body.conversation_id, theirs.conversation_id);
    const path = `/conversations/${theirs.conversation_id}/messages`;
    assert.deepEqual([(await api.post(path, templateMessage)).status, (await api.get(path)).status], [404, 404]);
  });
});

describe('a workspace with several channels', () => {
  let several: TestWorkspace;
  let sales: TestWorkspace;
  before(async () => {
    several = await majlis.workspace();
    const { waba_id, applied, access_token, app_secret } = several;
    const number = {
      phone_number_id: `${several.phone_number_id}1`,
      waba_id,
      access_token,
      display_phone: '+96880000002',
    };
    const webhook = { callback_url: `${majlis.url}/platform/chatapp/webhook`, app_secret, verify_token: 'verify' };
    majlis.simulator.addNumber({ ...number, verified_name: 'Acme', webhook });
    const { body } = await majlis.operator('PUT', '/workspaces', {
      workspace: { name: applied.workspace.name },
      channels: [{ type: 'chatapp', name: 'Sales', app_secret, verify_token: 'verify', ...number }],
    });
    sales = { ...several, phone_number_id: number.phone_number_id, channel_id: body.channels[0].id };
  });

  it('must say from which one it sends', async () => {
    const to = `+${newDigits()}`;
    assertInvalid(await several.api.post('/messages', { to, ...templateMessage }), '/channel_id');
    const other = { to, channel_id: workspace.channel_id, ...templateMessage };
    assertInvalid(await several.api.post('/messages', other), '/channel_id');
  });

  it('has one conversation on each with the same contact', async () => {
    const to = `+${newDigits()}`;
    const sent = [];
    for (const channel_id of [several.channel_id, sales.channel_id]) {
      const reply = await several.api.post('/messages', { to, channel_id, ...templateMessage });
      assert.equal(reply.status, 201, reply.text);
      sent.push(reply.body);
    }
    const [one, two] = await Promise.all(
      sent.map(({ conversation_id }) => several.api.get(`/conversations/${conversation_id}`)),
    );
    assert.notEqual(one!.body.id, two!.body.id);
    assert.equal(one!.body.contact_id, two!.body.contact_id);
    await untilDispatched(majlis);
    const numbers = sent.map(
      ({ id }) => majlis.simulator.ledger().find((entry) => entry.biz_opaque_callback_data === id)?.phone_number_id,
    );
    assert.deepEqual(numbers, [several.phone_number_id, sales.phone_number_id]);
  });

  it('answers in a conversation from its own channel', async () => {
    const { conversation_id } = await receiveMessage(majlis, sales, newDigits());
    const { body } = await several.api.post(`/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Hi' });
    await untilStatus(majlis, body.id, 'read');
    const entry = majlis.simulator
      .ledger()
      .find(({ biz_opaque_callback_data }) => biz_opaque_callback_data === body.id);
    assert.equal(entry!.phone_number_id, sales.phone_number_id);
  });
});

it('what the platform refuses later stands in the message, with the code', async () => {
  const digits = newDigits().replace(/\d{6}$/, '131026');
  const { body } = await api.post('/messages', { to: `+${digits}`, ...templateMessage });
  await untilStatus(majlis, body.id, 'failed');
  assert.match((await api.get(`/messages/${body.id}`)).body.error, /^131026: /);
});

type Reply = Awaited<ReturnType<typeof api.post>>;

function assertInvalid({ status, body, text }: Reply, pointer: string): void {
  assert.equal(status, 422, text);
  assert.equal(body.code, 'unprocessable_content');
  assert.equal(body.errors[0].pointer, pointer, text);
}
