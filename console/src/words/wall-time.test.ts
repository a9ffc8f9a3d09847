import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { momentOfWallTime, wallTimeAt } from './wall-time.ts';

describe('a wall time', () => {
  it('turns into a moment and back', () => {
    const wall = { year: 2026, month: 10, day: 25, hour: 12, minute: 30 };
    for (const zone of ['Asia/Muscat', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Auckland']) {
      const { weekday, ...shown } = wallTimeAt(momentOfWallTime(wall, zone), zone);
      assert.deepEqual([shown, weekday], [wall, 0]);
    }
  });
});
