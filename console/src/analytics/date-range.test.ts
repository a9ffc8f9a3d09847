import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countDays, firstDayOf, intervalFor, rangeOf, todayIn } from './date-range.ts';

describe('todayIn', () => {
  it('is the day of the workspace, not of the browser', () => {
    const late = Date.parse('2026-11-25T21:30:00Z');
    assert.equal(todayIn('Asia/Muscat', late), '2026-11-26');
    assert.equal(todayIn('America/New_York', late), '2026-11-25');
  });
});

describe('rangeOf', () => {
  for (const [preset, from, to] of [
    ['today', '2026-03-01', '2026-03-01'],
    ['yesterday', '2026-02-28', '2026-02-28'],
    ['last_7', '2026-02-23', '2026-03-01'],
    ['last_30', '2026-01-31', '2026-03-01'],
    ['this_month', '2026-03-01', '2026-03-01'],
    ['last_month', '2026-02-01', '2026-02-28'],
  ] as const) {
    it(`answers the days of ${preset}`, () => assert.deepEqual(rangeOf(preset, '2026-03-01'), { from, to }));
  }
});

describe('countDays', () => {
  it('counts both ends, and nothing where the range is none', () => {
    assert.equal(countDays({ from: '2026-02-27', to: '2026-03-01' }), 3);
    for (const [from, to] of [
      ['2026-03-02', '2026-03-01'],
      ['', '2026-03-01'],
      ['2026-13-01', '2026-13-02'],
    ] as const) {
      assert.equal(countDays({ from, to }), 0);
    }
  });
});

describe('intervalFor', () => {
  it('gives a readable number of rows', () => {
    assert.equal(intervalFor({ from: '2026-11-01', to: '2026-11-30' }), 'day');
    assert.equal(intervalFor({ from: '2026-09-01', to: '2026-11-30' }), 'week');
    assert.equal(intervalFor({ from: '2024-01-01', to: '2026-11-30' }), 'month');
  });
});

describe('firstDayOf', () => {
  for (const [period, day] of [
    ['2026-11-21', '2026-11-21'],
    ['2026-11', '2026-11-01'],
    ['2026-W01', '2025-12-29'],
    ['2026-W47', '2026-11-16'],
    ['2021-W01', '2021-01-04'],
    ['2020-W53', '2020-12-28'],
  ] as const) {
    it(`of ${period} is ${day}`, () => assert.equal(firstDayOf(period), day));
  }
});
