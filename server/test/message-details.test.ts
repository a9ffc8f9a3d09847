import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { platformText } from '@majlis/testing/notifications';
import { by, type Chat, startChats } from '@majlis/testing/start-chats';
import { publicId } from '../src/database/ids.ts';

// What comes beside a message's text, and values that cannot be true.

const { majlis, workspace, agent, newChat, report, messagesOf, conversationOf, threadOf } = await startChats();

describe('what stands beside the title of an answer', () => {
  it('is readable: the answers of a form', async () => {
    const chat = await newChat();
    const response_json = '{"guests":"4","days":["Sun","Mon"],"flow_token":"msg_1"}';
    await report([
      by(chat, 'interactive', { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json } }),
    ]);
    assert.equal((await messagesOf(chat))[1]!.body, 'Sent\nguests: 4\ndays: ["Sun","Mon"]');
    const answers = [
      { name: 'guests', value: '4' },
      { name: 'days', value: '["Sun","Mon"]' },
    ];
    assert.deepEqual((await threadOf(chat))[1]!.answers, answers);
    const { data } = (await workspace.api.get('/events?event_data=full&limit=100')).body;
    assert.deepEqual(data.findLast(({ type }: AnyJson) => type === 'message.received').data.message.answers, answers);
  });

  it('is whole: an order, in the thread and in the details of events', async () => {
    const chat = await newChat();
    const product_items = [
      { product_retailer_id: 'oud-1', quantity: 2, item_price: 9.5, currency: 'OMR' },
      { product_retailer_id: 'ru\u202eby', quantity: '1', item_price: '3', currency: 'OMR' },
      { product_retailer_id: '\u3164' },
    ];
    const order = { catalog_id: 'c77', text: 'For Friday\nplease', product_items };
    await report([by(chat, 'order', order)]);
    assert.deepEqual((await threadOf(chat))[1]!.order, {
      catalog_id: 'c77',
      note: 'For Friday\nplease',
      products: [
        { id: 'oud-1', quantity: 2, price: 9.5, currency: 'OMR' },
        { id: 'ruby', quantity: 1, price: 3, currency: 'OMR' },
        { id: '' },
      ],
    });
    const { data } = (await workspace.api.get('/events?event_data=full&limit=100')).body;
    assert.deepEqual(data.findLast(({ type }: AnyJson) => type === 'message.received').data.message.order, order);
  });

  it('is told by ids that are JSON integers too', async () => {
    const chat = await newChat();
    const lastOf = async () => (await threadOf(chat)).at(-1)!;
    const product_items = [{ product_retailer_id: 1207, quantity: 1, item_price: 3, currency: 'OMR' }];
    await report([by(chat, 'order', { catalog_id: 77, product_items })]);
    const product = { id: '1207', quantity: 1, price: 3, currency: 'OMR' };
    assert.deepEqual((await lastOf()).order, { catalog_id: '77', products: [product] });
    await report([by(chat, 'interactive', { type: 'list_reply', list_reply: { id: 4, title: 'Four' } })]);
    assert.deepEqual((await lastOf()).tapped, { id: '4', title: 'Four' });
    const { data } = (await workspace.api.get('/events?event_data=full&limit=100')).body;
    assert.equal(data.findLast(({ type }: AnyJson) => type === 'message.received').data.message.button_id, '4');
    await report([by(chat, 'text', { body: 'Hi' }, { referral: { source_type: 'ad', source_id: 5 } })]);
    assert.deepEqual((await lastOf()).referral, { id: '5' });
    await report([by(chat, 'image', { id: 9, mime_type: 'image/jpeg' })]);
    assert.equal((await lastOf()).body, undefined);
  });

  it('is told: an interactive message of an unknown type', async () => {
    const chat = await newChat();
    const interactive = { type: 'payment_method', payment_method: { payment_method: 'pix', reference_id: 'R1' } };
    await report([by(chat, 'interactive', interactive)]);
    assert.equal((await messagesOf(chat))[1]!.body, '[interactive: payment_method]');
    const lastDetails = async () => {
      const { data } = (await workspace.api.get('/events?event_data=full&limit=100')).body;
      return data.findLast(({ type }: AnyJson) => type === 'message.received').data.message;
    };
    assert.deepEqual((await lastDetails()).interactive, interactive);
    await report([by(chat, 'interactive', { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } })]);
    const { button_id, ...details } = await lastDetails();
    assert.equal(button_id, 'yes');
    assert.ok(!('interactive' in details));
  });

  it('is told to people: the type of what cannot be shown, and none of a text that looks like it', async () => {
    const errors = [{ code: 131051, title: 'Message type unknown' }];
    const shown = async (chat: Chat) => {
      const { data } = (await agent.at('GET', '/inbox?view=all')).body;
      return data.find((row: AnyJson) => row.conversation.id === chat.conversation_id).preview;
    };
    for (const [expected, message] of [
      ['poll', (chat: Chat) => by(chat, 'unsupported', { type: 'poll' }, { errors })],
      ['unsupported', (chat: Chat) => by(chat, 'unsupported', undefined, { errors })],
      ['payment_method', (chat: Chat) => by(chat, 'interactive', { type: 'payment_method' })],
      ['hologram', (chat: Chat) => by(chat, 'hologram', { shape: 'cube' })],
      [undefined, ({ digits }: Chat) => platformText(digits, '[poll] Message type unknown')],
    ] as const) {
      const chat = await newChat();
      const told = message(chat);
      await report([told]);
      const [row] = await majlis.sql<{ id: string }>('select id from messages where platform_message_id = $1', [
        told.id,
      ]);
      const id = publicId('message', row!.id);
      assert.equal((await shown(chat)).unreadable_type, expected);
      const { data } = (await agent.at('GET', `/notices?message_ids=${id}`)).body;
      assert.equal(data[0].unreadable_type, expected);
      const q = (await workspace.api.get(`/messages/${id}`)).body.body;
      const { body: found } = await agent.at('GET', `/message-search?${new URLSearchParams({ q })}`);
      const hit = found.data.find(({ message_id }: AnyJson) => message_id === id);
      assert.equal(hit.unreadable_type, expected);
      await report([platformText(chat.digits, 'That one', { context: { id: told.id } })]);
      const [, item, quoting] = await threadOf(chat);
      assert.deepEqual([item!.unreadable_type, quoting!.quoted.unreadable_type], [expected, expected]);
      assert.equal((await shown(chat)).unreadable_type, undefined);
      // What the customer makes of it later is a text.
      await report([
        by(chat, 'edit', { original_message_id: told.id, message: { type: 'text', text: { body: '[Yes]' } } }),
      ]);
      const edited = (await threadOf(chat))[1]!;
      assert.deepEqual([edited.body, edited.unreadable_type], ['[Yes]', undefined]);
    }
  });

  it('is shown: the advertisement that led to the message', async () => {
    const chat = await newChat();
    const referral = {
      source_type: 'ad',
      source_id: '12',
      headline: 'Oud \u202e-20%',
      source_url: 'https://ad.example/1',
      ctwa_clid: 'c1',
    };
    await report([platformText(chat.digits, 'Is it there?', { referral })]);
    const [, item] = await threadOf(chat);
    assert.equal(item!.body, 'Is it there?');
    assert.deepEqual(item!.referral, { headline: 'Oud -20%', source_url: 'https://ad.example/1', id: '12' });
    const { data } = (await workspace.api.get('/events?event_data=full&limit=100')).body;
    assert.deepEqual(data.findLast(({ type }: AnyJson) => type === 'message.received').data.message.referral, referral);
  });
});

describe('a doubtful value', () => {
  it('opens no window of more than a day: a time days ahead', async () => {
    const chat = await newChat();
    const timestamp = String(Math.floor(Date.now() / 1000) + 3 * 86_400);
    await report([platformText(chat.digits, 'From the future', { timestamp })]);
    const { window_expires_at } = await conversationOf(chat);
    assert.ok(Date.parse(window_expires_at) <= Date.now() + 25 * 3_600_000, window_expires_at);
  });

  it('is not shown as connected: a channel whose every call is refused', async () => {
    const own = await majlis.workspace();
    const statusOf = async () => (await own.api.get('/channels')).body.data[0].status;
    await eventually(statusOf, (status) => status === 'CONNECTED');
    await callControl(majlis, 'PATCH', `/numbers/${own.phone_number_id}`, { token_expired: true });
    const template = { name: 'order_update', language: 'en', params: ['a', 'b'] };
    await own.api.post('/messages', { to: `+${newDigits()}`, kind: 'template', template });
    await eventually(statusOf, (status) => status !== 'CONNECTED');
  });

  it('is found in both spellings: عبد الله', async () => {
    const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
    const { body } = await workspace.api.post('/contacts', { identities, name: 'عبد الله الحارثي' });
    for (const q of ['عبدالله', 'عبد الله', 'عبدالله الحارثي', 'الله', 'عبد']) {
      const { data } = (await workspace.api.get(`/contacts?q=${encodeURIComponent(q)}`)).body;
      assert.ok(
        data.some(({ id }: AnyJson) => id === body.id),
        q,
      );
    }
  });

  it('is read as the number: one with shapeless characters', async () => {
    const identifier = '+968\u3164 9123\u2800 4\u034f567';
    const { status, body } = await workspace.api.post('/contacts', {
      identities: [{ channel_type: 'chatapp', identifier }],
    });
    assert.ok(status < 300, JSON.stringify(body));
    assert.equal(body.identities[0].identifier, '+96891234567');
  });
});
