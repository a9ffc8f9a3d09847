import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startOfLast } from './last-rows.ts';

const rowOf = (id: string, body: string) => ({ type: 'message', isFirst: false, message: { id, body } });

describe('the last rows', () => {
  it('are so many of one line that a screen is full', () => {
    const rows = Array.from({ length: 100 }, (_, n) => rowOf(`${n}`, 'OK'));
    const count = 100 - startOfLast(rows, 900);
    assert.ok(count * 56 >= 900 && count < 25, `${count} rows`);
  });

  it('are fewer where texts are long', () => {
    const rows = Array.from({ length: 100 }, (_, n) => rowOf(`${n}`, 'word '.repeat(200)));
    assert.equal(100 - startOfLast(rows, 900), 4);
  });

  it('are all rows of a short thread', () => {
    assert.equal(startOfLast([rowOf('a', 'Hello')], 900), 0);
    assert.equal(startOfLast([], 900), 0);
  });
});
