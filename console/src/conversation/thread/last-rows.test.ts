import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lastRows } from './last-rows.ts';

const rowOf = (id: string, body: string) => ({ type: 'message', id, message: { body } });
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe('the last rows', () => {
  it('are so many of one line that a screen is full', () => {
    const rows = Array.from({ length: 100 }, (_, n) => rowOf(`${n}`, 'OK'));
    const last = lastRows(rows, 900);
    assert.deepEqual(idsOf(last), idsOf(rows.slice(-last.length)));
    assert.ok(last.length * 56 >= 900 && last.length < 25, `${last.length} rows`);
  });

  it('are fewer where texts are long', () => {
    const rows = Array.from({ length: 100 }, (_, n) => rowOf(`${n}`, 'word '.repeat(200)));
    assert.equal(lastRows(rows, 900).length, 4);
  });

  it('are all rows of a short thread', () => {
    assert.deepEqual(idsOf(lastRows([rowOf('a', 'Hello')], 900)), ['a']);
    assert.deepEqual(lastRows([], 900), []);
  });
});
