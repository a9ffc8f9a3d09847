import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evaluateQuietHours } from './quiet-hours.ts';

const evaluate = (from: string, until: string, timezone: string, now: string) => {
  const { quiet_now, changes_at } = evaluateQuietHours({ from, until }, timezone, new Date(now));
  return [quiet_now, changes_at.toISOString()];
};

describe('quiet hours', () => {
  it('last over midnight, in the zone', () => {
    const night = ['22:00', '07:00', 'Asia/Muscat'] as const;
    assert.deepEqual(evaluate(...night, '2026-11-20T17:59:59Z'), [false, '2026-11-20T18:00:00.000Z']);
    assert.deepEqual(evaluate(...night, '2026-11-20T18:00:00Z'), [true, '2026-11-21T03:00:00.000Z']);
    assert.deepEqual(evaluate(...night, '2026-11-21T02:59:59Z'), [true, '2026-11-21T03:00:00.000Z']);
    assert.deepEqual(evaluate(...night, '2026-11-21T03:00:00Z'), [false, '2026-11-21T18:00:00.000Z']);
  });

  it('last within a day', () => {
    const noon = ['12:30', '13:30', 'UTC'] as const;
    assert.deepEqual(evaluate(...noon, '2026-11-20T12:29:00Z'), [false, '2026-11-20T12:30:00.000Z']);
    assert.deepEqual(evaluate(...noon, '2026-11-20T13:00:30Z'), [true, '2026-11-20T13:30:00.000Z']);
    assert.deepEqual(evaluate(...noon, '2026-11-20T13:30:00Z'), [false, '2026-11-21T12:30:00.000Z']);
  });

  it('follow the clocks of the zone when they change', () => {
    // Berlin goes from 02:00 to 03:00 on 29 March 2026, and back from 03:00 to 02:00 on 25 October.
    assert.deepEqual(evaluate('22:00', '07:00', 'Europe/Berlin', '2026-03-28T21:30:00Z'), [
      true,
      '2026-03-29T05:00:00.000Z',
    ]);
    assert.deepEqual(evaluate('22:00', '07:00', 'Europe/Berlin', '2026-10-24T20:30:00Z'), [
      true,
      '2026-10-25T06:00:00.000Z',
    ]);
  });

  // Each day skips an hour, shows one twice, or does neither.
  const days = [
    ['Europe/Berlin', '2026-03-28'],
    ['Europe/Berlin', '2026-10-24'],
    ['America/New_York', '2026-03-07'],
    ['America/New_York', '2026-10-31'],
    ['Asia/Beirut', '2026-03-28'],
    ['Asia/Beirut', '2026-10-24'],
    ['Asia/Muscat', '2026-03-28'],
  ] as const;
  for (const [timezone, day] of days) {
    it(`change when they say so, after ${day} in ${timezone}`, () => {
      const start = Date.parse(`${day}T06:00:00Z`);
      const spans = ['22:00-07:00', '22:00-02:30', '02:30-08:00', '01:30-01:45', '00:15-00:45', '23:30-00:00'];
      for (const span of spans) {
        const [from, until] = span.split('-') as [string, string];
        const quarters = Array.from({ length: 60 * 4 }, (_, n) => new Date(start + n * 900_000));
        const evaluated = quarters.map((now) => evaluateQuietHours({ from, until }, timezone, now));
        for (const [n, { quiet_now, changes_at }] of evaluated.slice(0, 24 * 4).entries()) {
          const next = evaluated.findIndex((other, later) => later > n && other.quiet_now !== quiet_now);
          assert.deepEqual(changes_at, quarters[next], `${span} at ${quarters[n]!.toISOString()}`);
        }
      }
    });
  }
});
