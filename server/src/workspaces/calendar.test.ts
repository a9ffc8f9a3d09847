import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { countPeriods, dayOf, type Interval, momentsOf, periodsOf } from './calendar.ts';

const hourMs = 3_600_000;

function hoursOf(date: string, timezone: string): number {
  const day = dayOf(date);
  const { starts_at, ends_at } = momentsOf({ first: day, last: day }, timezone);
  return (ends_at.getTime() - starts_at.getTime()) / hourMs;
}

function startOf(date: string, timezone: string): string {
  return momentsOf({ first: dayOf(date), last: dayOf(date) }, timezone).starts_at.toISOString();
}

function labels(from: string, to: string, interval: Interval, timezone = 'UTC'): string[] {
  return periodsOf({ first: dayOf(from), last: dayOf(to) }, interval, timezone).map(({ label }) => label);
}

describe('a day', () => {
  it('begins at midnight of its zone', () => {
    assert.equal(startOf('2026-11-21', 'UTC'), '2026-11-21T00:00:00.000Z');
    assert.equal(startOf('2026-11-21', 'Asia/Muscat'), '2026-11-20T20:00:00.000Z');
    assert.equal(startOf('2026-11-21', 'Pacific/Kiritimati'), '2026-11-20T10:00:00.000Z');
    assert.equal(startOf('2026-11-21', 'Pacific/Niue'), '2026-11-21T11:00:00.000Z');
    assert.equal(startOf('2026-11-21', 'Asia/Kathmandu'), '2026-11-20T18:15:00.000Z');
  });

  it('has 23 or 25 hours where the clocks change', () => {
    assert.equal(hoursOf('2026-03-29', 'Europe/Berlin'), 23);
    assert.equal(hoursOf('2026-10-25', 'Europe/Berlin'), 25);
    assert.equal(hoursOf('2026-10-04', 'Australia/Lord_Howe'), 23.5);
    assert.equal(hoursOf('2026-11-21', 'Europe/Berlin'), 24);
  });

  it('begins at one o’clock where midnight is skipped, and at the first of two midnights', () => {
    assert.equal(startOf('2026-03-29', 'Asia/Beirut'), '2026-03-28T22:00:00.000Z');
    assert.equal(hoursOf('2026-03-29', 'Asia/Beirut'), 23);
    assert.equal(startOf('2026-11-01', 'America/Havana'), '2026-11-01T04:00:00.000Z');
    assert.equal(hoursOf('2026-11-01', 'America/Havana'), 25);
    // East of Greenwich, a look from midnight UTC finds the second one first.
    assert.equal(startOf('2021-10-29', 'Asia/Amman'), '2021-10-28T21:00:00.000Z');
    assert.equal(hoursOf('2021-10-29', 'Asia/Amman'), 25);
  });

  it('has no hour where the calendar skipped it', () => {
    assert.equal(hoursOf('2011-12-30', 'Pacific/Apia'), 0);
    assert.equal(hoursOf('2011-12-31', 'Pacific/Apia'), 24);
  });

  it('can be asked for however far away it is', () => {
    assert.equal(startOf('0000-01-01', 'Asia/Muscat'), '1970-01-01T00:00:00.000Z');
    const day = dayOf('9999-12-31');
    const { starts_at, ends_at } = momentsOf({ first: day, last: day }, 'Pacific/Niue');
    assert.equal(starts_at.toISOString(), '9999-12-31T11:00:00.000Z');
    assert.equal(ends_at.toISOString(), '9999-12-31T23:59:59.999Z');
  });
});

describe('periods', () => {
  it('are days by their date, weeks from Monday by ISO 8601, months', () => {
    assert.deepEqual(labels('2026-02-27', '2026-03-01', 'day'), ['2026-02-27', '2026-02-28', '2026-03-01']);
    assert.deepEqual(labels('2026-12-20', '2027-01-04', 'week'), ['2026-W51', '2026-W52', '2026-W53', '2027-W01']);
    assert.deepEqual(labels('2024-12-29', '2024-12-30', 'week'), ['2024-W52', '2025-W01']);
    assert.deepEqual(labels('2026-11-30', '2027-01-01', 'month'), ['2026-11', '2026-12', '2027-01']);
    assert.deepEqual(labels('1969-12-28', '1969-12-29', 'week'), ['1969-W52', '1970-W01']);
  });

  it('follow each other without a gap from the first day to the last, in every zone, and are as many as counted', () => {
    const zones = ['UTC', 'Asia/Muscat', 'Europe/Berlin', 'Asia/Beirut', 'America/Havana', 'Pacific/Apia'];
    const day = fc.integer({ min: dayOf('2005-01-01'), max: dayOf('2035-12-31') });
    const interval = fc.constantFrom<Interval>('day', 'week', 'month');
    fc.assert(
      fc.property(fc.constantFrom(...zones), day, fc.nat(400), interval, (zone, first, length, kind) => {
        const range = { first, last: first + length };
        const periods = periodsOf(range, kind, zone);
        const { starts_at, ends_at } = momentsOf(range, zone);
        assert.equal(periods.length, countPeriods(range, kind));
        assert.deepEqual([periods[0]!.starts_at, periods.at(-1)!.ends_at], [starts_at, ends_at]);
        for (const [n, period] of periods.entries()) {
          assert.ok(period.starts_at <= period.ends_at);
          if (n > 0) assert.deepEqual(period.starts_at, periods[n - 1]!.ends_at);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('hold each moment on the day that a clock on the wall there shows', () => {
    const zones = ['UTC', 'Asia/Muscat', 'Europe/Berlin', 'Asia/Beirut', 'America/Havana', 'America/St_Johns'];
    const moment = fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2035, 0) });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, (timeZone, ms) => {
        const wall = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(ms);
        const { starts_at, ends_at } = momentsOf({ first: dayOf(wall), last: dayOf(wall) }, timeZone);
        assert.ok(starts_at.getTime() <= ms && ms < ends_at.getTime(), `${timeZone} ${new Date(ms).toISOString()}`);
      }),
      { numRuns: 300 },
    );
  });
});
