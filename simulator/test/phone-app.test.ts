import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dict } from '../src/world/message.ts';
import { numberId, startTestSimulator } from './test-simulator.ts';
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
