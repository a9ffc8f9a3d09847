import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { LiveRow } from '@majlis/console-api';
import { gatherRows, type ToldAt } from './gather-rows.ts';

const row = (conversation_id: string, since: number) => ({ row: { conversation_id } as LiveRow, since });

describe('told rows', () => {
  function gather(drawingMs = 0) {
    mock.timers.enable({ apis: ['setTimeout'] });
    const shown: unknown[][] = [];
    let ms = 0;
    const screen = {
      now: () => ms,
      afterDrawing(act: () => void) {
        ms += drawingMs;
        act();
      },
    };
    const show = (some: readonly ToldAt[]) => shown.push(some.map(({ row, since }) => [row.conversation_id, since]));
    const rows = gatherRows(show, screen);
    return { rows, shown, end: () => mock.timers.reset() };
  }

  it('are shown at once after a pause, and together while they come', () => {
    const { rows, shown, end } = gather();
    rows.take(row('a', 1));
    mock.timers.tick(1);
    assert.deepEqual(shown, [[['a', 1]]]);
    for (const n of [2, 3]) rows.take(row('b', n));
    rows.take(row('a', 4));
    mock.timers.tick(58);
    assert.equal(shown.length, 1);
    mock.timers.tick(2);
    assert.deepEqual(shown.slice(1), [
      [
        ['b', 3],
        ['a', 4],
      ],
    ]);
    mock.timers.tick(1_000);
    rows.take(row('c', 5));
    mock.timers.tick(1);
    assert.deepEqual(shown.slice(2), [[['c', 5]]]);
    end();
  });

  it('wait for twice the time that a slow computer draws', () => {
    const { rows, shown, end } = gather(100);
    rows.take(row('a', 1));
    mock.timers.tick(1);
    rows.take(row('b', 2));
    mock.timers.tick(198);
    assert.deepEqual(shown, [[['a', 1]]]);
    mock.timers.tick(2);
    assert.deepEqual(shown.slice(1), [[['b', 2]]]);
    end();
  });

  it('are shown before a change that must not come first, and once', () => {
    const { rows, shown, end } = gather();
    rows.take(row('a', 1));
    rows.flush();
    assert.deepEqual(shown, [[['a', 1]]]);
    mock.timers.tick(1_000);
    assert.equal(shown.length, 1);
    end();
  });

  it('are dropped with the person who leaves', () => {
    const { rows, shown, end } = gather();
    rows.take(row('a', 1));
    rows.clear();
    mock.timers.tick(1_000);
    assert.deepEqual(shown, []);
    end();
  });
});
