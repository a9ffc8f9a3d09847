import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BusinessHours } from '@majlis/console-api';
import { snoozeMoments } from './snooze-times.ts';

const at = (iso: string) => Date.parse(iso);
const offered = (now: string, place: { timezone: string; country?: string; hours?: BusinessHours }) =>
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

  describe('of a business with hours', () => {
    const day = [
      { from: '08:30', until: '13:00' },
      { from: '16:00', until: '20:00' },
    ];
    const hours = (...closed: string[]): BusinessHours => ({
      weekly: [day, day, day, day, day, [], []],
      closed_days: closed.map((date) => ({ date })),
    });
    const muscat = (...closed: string[]) => ({ timezone: 'Asia/Muscat', country: 'OM', hours: hours(...closed) });

    it('are openings of its days, and lie behind a break', () => {
      // Tuesday, 11:20 in Muscat: three hours later is the break.
      assert.deepEqual(offered('2026-11-24T07:20:00Z', muscat()), {
        later_today: '2026-11-24T12:00:00.000Z',
        tomorrow: '2026-11-25T04:30:00.000Z',
        next_week: '2026-11-29T04:30:00.000Z',
      });
    });

    it('have no later today behind its closing, nor on a closed day', () => {
      // Tuesday, 17:00: three hours later it closes.
      assert.equal(offered('2026-11-24T13:00:00Z', muscat()).later_today, undefined);
      assert.equal(offered('2026-11-24T12:59:00Z', muscat()).later_today, '2026-11-24T15:00:00.000Z');
      assert.equal(offered('2026-11-24T05:00:00Z', muscat('2026-11-24')).later_today, undefined);
      assert.equal(offered('2026-11-27T05:00:00Z', muscat()).later_today, undefined);
    });

    it('skip closed days and name the next open one', () => {
      assert.deepEqual(offered('2026-11-24T07:20:00Z', muscat('2026-11-25', '2026-11-26', '2026-11-29')), {
        later_today: '2026-11-24T12:00:00.000Z',
        // Sunday is closed too, so the next open day is the first one of the next week.
        next_open_day: '2026-11-30T04:30:00.000Z',
      });
      assert.deepEqual(offered('2026-11-24T07:20:00Z', muscat('2026-11-25', '2026-11-29')), {
        later_today: '2026-11-24T12:00:00.000Z',
        next_open_day: '2026-11-26T04:30:00.000Z',
        next_week: '2026-11-30T04:30:00.000Z',
      });
    });

    it('are mornings of today for who works before the opening', () => {
      assert.equal(offered('2026-11-23T23:00:00Z', muscat()).later_today, '2026-11-24T04:30:00.000Z');
    });

    it('keep the hour of the opening over changes of the clocks', () => {
      const berlin = { timezone: 'Europe/Berlin', country: 'DE', hours: { ...hours(), weekly: Array(7).fill(day) } };
      assert.equal(offered('2026-03-28T12:00:00Z', berlin).tomorrow, '2026-03-29T06:30:00.000Z');
      assert.equal(offered('2026-10-24T12:00:00Z', berlin).tomorrow, '2026-10-25T07:30:00.000Z');
    });

    it('reach the end of a day that is open until midnight', () => {
      const late = { ...hours(), weekly: Array(7).fill([{ from: '18:00', until: '00:00' }]) };
      const place = { timezone: 'Asia/Muscat', country: 'OM', hours: late };
      assert.equal(offered('2026-11-24T16:00:00Z', place).later_today, '2026-11-24T19:00:00.000Z');
      assert.equal(offered('2026-11-24T17:00:00Z', place).later_today, undefined);
    });

    it('are none where no day is open', () => {
      const never = { ...hours(), weekly: Array(7).fill([]) };
      assert.deepEqual(offered('2026-11-24T07:20:00Z', { timezone: 'Asia/Muscat', hours: never }), {});
    });
  });
});
