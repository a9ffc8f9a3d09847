import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import type { LiveRow } from '@majlis/console-api';
import { gatherRows } from './gather-rows.ts';

const row = (conversation_id: string, since: number) => ({ row: { conversation_id } as LiveRow, since });

/** Milliseconds, one by one: what a timer begins counts from its own moment. */
const pass = (ms: number) => {
  for (let n = 0; n < ms; n++) mock.timers.tick(1);
};

describe('told rows', () => {
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  /** On a computer whose drawings take so long beyond a frame. */
  function gather(drawingMs = 0) {
    mock.timers.enable({ apis: ['setTimeout'] });
    const shown: unknown[][] = [];
    let ms = 0;
    mock.method(performance, 'now', () => {
      ms += 17 + drawingMs;
      return ms;
    });
    const rows = gatherRows((some) => shown.push(some.map(({ row, since }) => [row.conversation_id, since])));
    return { rows, shown };
  }

  it('are shown at once after a pause, and together while they come', () => {
    const { rows, shown } = gather();
    rows.take(row('a', 1));
    pass(1);
    assert.deepEqual(shown, [[['a', 1]]]);
    for (const n of [2, 3]) rows.take(row('b', n));
    rows.take(row('a', 4));
    pass(58);
    assert.equal(shown.length, 1);
    pass(2);
    assert.deepEqual(shown.slice(1), [
      [
        ['b', 3],
        ['a', 4],
      ],
    ]);
    pass(1_000);
    rows.take(row('c', 5));
    pass(1);
    assert.deepEqual(shown.slice(2), [[['c', 5]]]);
  });

  it('wait for twice the time that a slow computer draws', () => {
    const { rows, shown } = gather(100);
    rows.take(row('a', 1));
    pass(1);
    rows.take(row('b', 2));
    pass(215);
    assert.deepEqual(shown, [[['a', 1]]]);
    pass(2);
    assert.deepEqual(shown.slice(1), [[['b', 2]]]);
  });

  it('are shown before a change that must not come first, and once', () => {
    const { rows, shown } = gather();
    rows.take(row('a', 1));
    rows.flush();
    assert.deepEqual(shown, [[['a', 1]]]);
    pass(1_000);
    assert.equal(shown.length, 1);
  });

  it('are dropped with the person who leaves', () => {
    const { rows, shown } = gather();
    rows.take(row('a', 1));
    rows.clear();
    pass(1_000);
    assert.deepEqual(shown, []);
  });
});
