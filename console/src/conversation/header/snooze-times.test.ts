import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { momentOfWallTime, snoozeMoments, wallTimeAt } from './snooze-times.ts';

const at = (iso: string) => Date.parse(iso);
const offered = (now: string, place: { timezone: string; country?: string }) =>
  Object.fromEntries(snoozeMoments(at(now), place).map(({ choice, until }) => [choice, new Date(until).toISOString()]));

describe('the times of the snooze menu', () => {
  it('are mornings of the workspace, and weeks begin with its first working day', () => {
    // Tuesday, 12:20 in Muscat.
    assert.deepEqual(offered('2026-11-24T08:20:00Z', { timezone: 'Asia/Muscat', country: 'OM' }), {
      later_today: '2026-11-24T11:00:00.000Z',
      tomorrow: '2026-11-25T05:00:00.000Z',
      next_week: '2026-11-29T05:00:00.000Z',
    });
  });

  it('have no later today in the evening', () => {
    assert.deepEqual(offered('2026-11-28T17:00:00Z', { timezone: 'Asia/Muscat', country: 'OM' }), {
      tomorrow: '2026-11-29T05:00:00.000Z',
      next_week: '2026-12-06T05:00:00.000Z',
    });
  });

  it('keep the hour over a change of the clocks', () => {
    const { tomorrow } = offered('2026-03-28T12:00:00Z', { timezone: 'Europe/Berlin', country: 'DE' });
    assert.equal(tomorrow, '2026-03-29T07:00:00.000Z');
  });

  it('turn a wall time into a moment and back', () => {
    const wall = { year: 2026, month: 10, day: 25, hour: 12, minute: 30 };
    for (const zone of ['Asia/Muscat', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Auckland']) {
      const { weekday, ...shown } = wallTimeAt(momentOfWallTime(wall, zone), zone);
      assert.deepEqual([shown, weekday], [wall, 0]);
    }
  });
});
