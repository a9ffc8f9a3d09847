import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dict } from '../src/world/message.ts';
import { numberId, startTestSimulator, wamidOf } from './test-simulator.ts';
import { until } from './until.ts';

const s = startTestSimulator();
const dayMs = 86_400_000;

test('shares the chats of the phone app in chunks, the last day first', async () => {
  const now = Date.now();
  for (const [from, days] of [
    ['15550004001', 0],
    ['15550004001', 40],
    ['15550004002', 40],
  ] as const) {
    const at = now - days * dayMs - 1_000;
    const inbound = { phone_number_id: numberId, from, type: 'text', content: `${days} days ago`, at, notify: false };
    await s.control('POST', 'inbound', inbound);
  }
  const { body } = await s.control('POST', `numbers/${numberId}/history`, { chunk_size: 1 });
  assert.equal(body.chunks, 3);
  const sharedChunks = () => s.receiver.changes('history').flatMap(({ history }) => history as Dict[]);
  await until('3 chunks', () => sharedChunks().length === 3);
  const chunks = sharedChunks();
  assert.deepEqual(
    chunks.map(({ metadata, threads }) => [(metadata as Dict).phase, (threads as Dict[]).length]),
    [
      [0, 1],
      [1, 1],
      [1, 1],
    ],
  );
  await s.control('POST', `numbers/${numberId}/history`, { declines: true });
  await until('a refusal', () => sharedChunks().length === 4);
  const [refusal] = sharedChunks().at(-1)!.errors as Dict[];
  assert.equal(refusal!.code, 2593109);
});

test('shares entries of the address book', async () => {
  const entries = [{ phone: '+15550004001', name: 'Abu Salim' }];
  await s.control('POST', `numbers/${numberId}/address-book`, { entries });
  await until('the address book', () => s.receiver.changes('smb_app_state_sync').length === 1);
  const [value] = s.receiver.changes('smb_app_state_sync');
  const [entry] = value!.state_sync as Dict[];
  assert.deepEqual([entry!.action, (entry!.contact as Dict).phone_number], ['add', '15550004001']);
});

test('calls the business, clicks a link and reports a payment', async () => {
  const customer = '15550004009';
  await s.control('POST', `conversations/${numberId}/${customer}/call`, { seconds: 20 });
  const calls = () => s.receiver.changes('calls').flatMap((value) => value.calls as Dict[]);
  await until('a call', () => calls().length === 2);
  assert.deepEqual(
    calls().map(({ event, duration }) => [event, duration]),
    [
      ['connect', undefined],
      ['terminate', 20],
    ],
  );
  const id = wamidOf(await s.send(`+${customer}`, { type: 'text', text: { body: 'one' } }));
  const { body } = await s.control('POST', `messages/${id}/click`, {});
  const clicks = () => s.receiver.values().flatMap((value) => (value.user_actions ?? []) as Dict[]);
  await until('a click', () => clicks().length === 1);
  const data = clicks()[0]!.marketing_messages_link_click_data as Dict;
  assert.equal(data.click_id, body.click_id);
  await s.control('POST', `messages/${id}/payment`, { reference_id: 'order-7', status: 'captured' });
  await until('a payment', () => s.receiver.statuses().some(({ type }) => type === 'payment'));
});

test('reserves and activates a username, and reaches a tier of prices', async () => {
  await s.control('PATCH', `numbers/${numberId}`, { username: 'shop', username_status: 'reserved' });
  await s.control('PATCH', `numbers/${numberId}`, { username_status: 'active' });
  await until('two reports', () => s.receiver.changes('business_username_update').length === 2);
  assert.deepEqual(
    s.receiver.changes('business_username_update').map(({ username, status }) => [username, status]),
    [
      ['shop', 'reserved'],
      ['shop', 'active'],
    ],
  );
  await s.control('POST', `numbers/${numberId}/volume-tier`, { tier: '1000001:5000000' });
  await until('a tier', () => s.receiver.changes('account_update').length === 1);
});
