import assert from 'node:assert/strict';
import { test } from 'node:test';
import { within } from '@majlis/testing/cleanup';
import type { CustomerMessage } from '../src/index.ts';
import type { Dict } from '../src/world/message.ts';
import { bearerOf, numberId, startTestSimulator, wamidOf } from './test-simulator.ts';
import { until } from './until.ts';

const s = startTestSimulator();
const from = '15550004001';
const told = async (id: string) => {
  await until(`webhook of ${id}`, () => s.receiver.messages().some((message) => message.id === id));
  return s.receiver.messages().find((message) => message.id === id)!;
};
const write = async (inbound: Partial<CustomerMessage> & { type: string }) => {
  const { body } = await s.control('POST', 'inbound', { phone_number_id: numberId, from, ...inbound });
  return told(String(body.id));
};
const idOf = (body: Dict) => String(body.id);

test('writes each type with its own object', async () => {
  const contents: Record<string, unknown> = {
    text: { body: 'Hi' },
    location: { latitude: 24.7136, longitude: 46.6753, name: 'Main' },
    contacts: [
      {
        name: { formatted_name: 'A B', first_name: 'A' },
        phones: [{ phone: '+1 555-000-3333', wa_id: '15550003333' }],
      },
    ],
    order: {
      catalog_id: 'c',
      text: 't',
      product_items: [{ product_retailer_id: 'sku', quantity: 1, item_price: 9.5, currency: 'SAR' }],
    },
    interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{}' } },
    sticker: { id: '1', mime_type: 'image/webp', sha256: 'x', animated: false },
    reaction: { message_id: 'wamid.x', emoji: '👍' },
    request_welcome: undefined,
  };
  for (const [type, content] of Object.entries(contents)) {
    const message = await write({ type, content });
    assert.equal(message.type, type);
    assert.deepEqual(message[type], content);
    assert.equal(message.from, from);
    assert.equal(typeof message.timestamp, 'string');
  }
});

test('writes unsupported messages with error 131051, and any errors given', async () => {
  const message = await write({ type: 'unsupported' });
  assert.equal(message.errors?.[0]?.code, 131051);
  const failed = await write({ type: 'image', errors: [{ code: 131052, title: 'Media download error' }] });
  assert.equal(failed.image, undefined);
  assert.equal(failed.errors?.[0]?.code, 131052);
});

test('refuses a text without its content: 400', async () => {
  // As a webhook of the platform has it.
  const inbound = { phone_number_id: numberId, from, type: 'text', text: { body: 'Hi' } };
  const { status, body } = await s.control('POST', 'inbound', inbound);
  assert.equal(status, 400);
  assert.match(JSON.stringify(body), /content is missing/);
});

test('quotes a message with its author', async () => {
  const first = await write({ type: 'text', content: 'one' });
  const answer = await s.send(`+${from}`, { type: 'text', text: { body: 'two' } });
  const quoting = await write({ type: 'text', content: 'three', context_id: wamidOf(answer) });
  assert.deepEqual(quoting.context, { from: '12025550111', id: wamidOf(answer) });
  const own = await write({ type: 'text', content: 'four', context_id: String(first.id) });
  assert.deepEqual(own.context, { from, id: first.id });
  const forwarded = await write({ type: 'text', content: 'five', context: { forwarded: true } });
  assert.deepEqual(forwarded.context, { forwarded: true });
});

test('taps the quick reply of a template', async () => {
  await s.control('POST', 'templates', {
    name: 'ask',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      { type: 'BODY', text: 'Fine?' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'See', url: 'https://example.com' },
          { type: 'QUICK_REPLY', text: 'Yes' },
        ],
      },
    ],
  });
  const components = [
    { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload: 'YES:1' }] },
  ];
  const answer = await s.send(`+${from}`, {
    type: 'template',
    template: { name: 'ask', language: { code: 'en_US' }, components },
  });
  const path = `messages/${encodeURIComponent(wamidOf(answer))}/tap`;
  const message = await told(idOf((await s.control('POST', path, { index: 1 })).body));
  assert.deepEqual(message.button, { text: 'Yes', payload: 'YES:1' });
  assert.equal((message.context as Dict).id, wamidOf(answer));
  assert.equal((await s.control('POST', path, { index: 0 })).status, 409);
});

test('taps a reply button and picks a row of a list', async () => {
  const send = (interactive: object) => s.send(`+${from}`, { type: 'interactive', interactive });
  const buttons = await send({
    type: 'button',
    body: { text: 'Keep it?' },
    action: { buttons: [{ type: 'reply', reply: { id: 'keep', title: 'Keep it' } }] },
  });
  const list = await send({
    type: 'list',
    body: { text: 'Pick' },
    action: { button: 'Show', sections: [{ rows: [{ id: 'b1', title: 'Olaya', description: 'Open 9-22' }] }] },
  });
  const tap = async (wamid: string, id: string) =>
    told(idOf((await s.control('POST', `messages/${encodeURIComponent(wamid)}/tap`, { id })).body));
  assert.deepEqual((await tap(wamidOf(buttons), 'keep')).interactive, {
    type: 'button_reply',
    button_reply: { id: 'keep', title: 'Keep it' },
  });
  assert.deepEqual((await tap(wamidOf(list), 'b1')).interactive, {
    type: 'list_reply',
    list_reply: { id: 'b1', title: 'Olaya', description: 'Open 9-22' },
  });
});

test('refuses interactive messages beyond their limits, naming the path', async () => {
  const reply = (id: string, title: string) => ({ type: 'reply', reply: { id, title } });
  const code = async (buttons: object[]) => {
    const interactive = { type: 'button', body: { text: 'x' }, action: { buttons } };
    return (await s.send(`+${from}`, { type: 'interactive', interactive })).body.error;
  };
  assert.equal((await code([reply('a', 'A'), reply('a', 'B')]))?.code, 131009);
  assert.equal((await code([reply('a', 'x'.repeat(21))]))?.code, 100);
  assert.equal((await code([]))?.code, 131009);
  const missing = await code([{ type: 'reply', reply: { id: 'a' } }]);
  const details = "The parameter interactive['action']['buttons'][0]['reply']['title'] is required.";
  assert.deepEqual(missing?.error_data, { messaging_product: 'whatsapp', details });
});

test('reports only `sent` of a reaction, and fails one whose target is unknown', async () => {
  const target = await write({ type: 'text', content: 'react to me' });
  const react = (message_id: unknown) =>
    s.send(`+${from}`, { type: 'reaction', reaction: { message_id, emoji: '👍' } });
  const [good, bad] = [await react(target.id), await react('wamid.unknown')];
  await s.settled();
  assert.deepEqual(
    s.statusesOf(wamidOf(good)).map((status) => status.status),
    ['sent'],
  );
  assert.equal(s.statusesOf(wamidOf(bad))[0]?.errors?.[0]?.code, 131009);
});

test('shows edits, revocations and reactions on the message they are about', async () => {
  const first = String((await write({ type: 'text', content: 'before' })).id);
  await write({
    type: 'edit',
    content: { original_message_id: first, message: { type: 'text', text: { body: 'after' } } },
  });
  await s.control('POST', `messages/${encodeURIComponent(first)}/react`, { emoji: '🎉' });
  const shown = (await s.control('GET', `messages/${encodeURIComponent(first)}`)).body;
  assert.deepEqual([shown.content, shown.edited, shown.reactions], [{ body: 'after' }, true, { customer: '🎉' }]);
  await write({ type: 'revoke', content: { original_message_id: first } });
  assert.equal((await s.control('GET', `messages/${encodeURIComponent(first)}`)).body.revoked, true);
});

test('marks all earlier messages read and shows typing', async () => {
  const [first, second] = [await write({ type: 'text', content: 'a' }), await write({ type: 'text', content: 'b' })];
  const read = {
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: second.id,
    typing_indicator: { type: 'text' },
  };
  assert.deepEqual((await s.call('POST', `${numberId}/messages`, read)).body, { success: true });
  const { body } = await s.control('GET', `conversations/${numberId}/${from}`);
  const messages = body.messages as { id: string; read_by_business: boolean }[];
  assert.ok(messages.filter((one) => one.id === first.id || one.id === second.id).every((one) => one.read_by_business));
  assert.equal(body.typing, true);
  const unknown = await s.call('POST', `${numberId}/messages`, { ...read, message_id: 'wamid.unknown' });
  assert.equal(unknown.body.error?.code, 100);
});

test('opens the window by what a customer writes, and closes it after 24 hours', async () => {
  const open = async (wa_id: string) => (await s.control('GET', `conversations/${numberId}/${wa_id}`)).body.window_open;
  await write({ type: 'reaction', from: '15550004002', content: { message_id: 'wamid.x', emoji: '👍' } });
  assert.equal(await open('15550004002'), false);
  await write({ type: 'text', from: '15550004002', content: 'hi' });
  assert.equal(await open('15550004002'), true);
  await s.control('POST', 'clock', { advance_seconds: 86_400 });
  assert.equal(await open('15550004002'), false);
});

test('moves a customer to a new number with a system message and no contacts', async () => {
  await write({ type: 'text', from: '15550004003', content: 'hi' });
  const { body } = await s.control('POST', 'customers/15550004003/move', {
    phone_number_id: numberId,
    to: '+15550004004',
  });
  const message = await told(idOf(body));
  assert.equal(message.from, '15550004003');
  assert.equal((message.system as Dict).wa_id, '15550004004');
  const value = s.receiver.values().find((one) => one.messages?.includes(message));
  assert.equal(value?.contacts, undefined);
});

test('leaves the number out for a customer who hides it', async () => {
  await s.control('PATCH', 'customers/15550004005', { number_hidden: true, username: 'sara' });
  const message = await write({ type: 'text', from: '15550004005', content: 'hi' });
  assert.equal(message.from, undefined);
  assert.match(String(message.from_user_id), /^US\./);
  const { status, body } = await s.call('POST', `${numberId}/messages`, {
    messaging_product: 'whatsapp',
    recipient: message.from_user_id,
    type: 'text',
    text: { body: 'hello' },
  });
  assert.equal(status, 200);
  await s.settled();
  const [{ id }] = body.messages as [{ id: string }];
  assert.equal(s.statusesOf(id).length, 3);
  assert.ok(
    s.statusesOf(id).every((one) => one.recipient_id === undefined && one.recipient_user_id === message.from_user_id),
  );
});

test('streams changes to who listens', async () => {
  const abort = new AbortController();
  const answer = await fetch(`${s.simulator.url}/control/events`, {
    headers: bearerOf(s.simulator),
    signal: abort.signal,
  });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  const id = s.write('15550004006');
  let text = '';
  while (!text.includes(id)) {
    const { done, value } = await within(reader.read(), 30_000, 'the next change of the stream');
    assert.equal(done, false, `the stream ended: ${text}`);
    text += value;
  }
  assert.match(text, /event: message\ndata: \{/);
  abort.abort();
});
