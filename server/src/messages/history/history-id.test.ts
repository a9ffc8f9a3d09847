import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOfId } from '../../database/ids.ts';
import { historyId } from './history-id.ts';

const at = new Date('2024-03-05T09:00:00Z');

test('an id of history is a UUIDv7 of the original time, ordered by the number within it', () => {
  const ids = [1, 2, 4_095, 4_096, 1_000_000, 2 ** 40 - 1].map((number) => historyId('chatwoot/1', { number, at }));
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(timeOfId(id), at.getTime());
  }
  assert.deepEqual(ids.toSorted(), ids);
});

test('the same message has the same id, and one of another source another', () => {
  const message = { number: 7, at };
  assert.equal(historyId('chatwoot/1', message), historyId('chatwoot/1', message));
  assert.notEqual(historyId('chatwoot/1', message), historyId('chatwoot/2', message));
});
