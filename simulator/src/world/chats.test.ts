import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasOpenWindow, makeChats } from './chats.ts';

test('forgets the oldest chats beyond its limit, but not those in which a customer wrote', () => {
  const conversations = makeChats(2);
  conversations.getOrMake('1', 'wrote', 1).last_inbound_at = 1;
  for (const wa_id of ['a', 'b', 'c', 'd']) conversations.getOrMake('1', wa_id, 2);
  const left = [...conversations.all()].map((one) => one.wa_id);
  assert.ok(left.includes('wrote'));
  assert.ok(left.includes('d'));
  assert.ok(!left.includes('a'));
  assert.ok(left.length <= 3);
});

test('holds the window open for 24 hours and not a millisecond longer', () => {
  const conversation = { phone_number_id: '1', wa_id: '2', last_at: 0, last_inbound_at: 1_000 };
  const day = 24 * 3_600_000;
  assert.equal(hasOpenWindow(conversation, 1_000 + day - 1), true);
  assert.equal(hasOpenWindow(conversation, 1_000 + day), false);
  assert.equal(hasOpenWindow(undefined, 1_000), false);
});
