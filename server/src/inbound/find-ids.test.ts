import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findIds } from './find-ids.ts';

const find = (text: string) => findIds(Buffer.from(text));

it('finds the accounts and numbers of a notification, as texts and as integers', () => {
  const value = { metadata: { phone_number_id: '300400' }, messages: [{ id: 'wamid.HBgL', from: '96891234567' }] };
  const body = { entry: [{ id: '100200', changes: [{ value }] }, { id: 100300 }] };
  const found = { waba_ids: ['100200', '100300'], phone_number_ids: ['300400'] };
  assert.deepEqual(find(JSON.stringify(body)), found);
  assert.deepEqual(find(JSON.stringify(body, undefined, 2)), found);
});

it('stops at a hundred ids, and never fails', () => {
  const entry = Array.from({ length: 1_000 }, (_, n) => ({ id: String(n) }));
  assert.equal(find(JSON.stringify({ entry })).waba_ids.length, 100);
  for (const text of ['', '{', '"id":', '"id":"', `"id"${' '.repeat(100_000)}`, '\0\xff']) {
    assert.deepEqual(find(text), { waba_ids: [], phone_number_ids: [] });
  }
});
