import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { continueStreak, isDelivered, isGivenUp, noStreak, retryAt } from './rules.ts';

const start = Date.UTC(2026, 10, 20, 10);
const hour = 3_600_000;
const at = (hours: number) => new Date(start + hours * hour);

/** The hours of attempts, failed ones as they are and successes negative; answers the hour at which it is disabled. */
function disabledAt(...hours: number[]): number | undefined {
  let streak = noStreak;
  for (const signed of hours) {
    streak = continueStreak(streak, { at: at(Math.abs(signed)), is_delivered: Object.is(signed, -0) || signed < 0 });
    if (isGivenUp(streak)) return Math.abs(signed);
  }
  return undefined;
}

const ms = 1 / hour;
const ladder = (from: number) => [0, 1, 6, 36, 156, 516, 1236, 2676].map((minutes) => from + minutes / 60);

describe('the rule of three days of consecutive failures', () => {
  const cases: [name: string, hours: number[], disabled: number | undefined][] = [
    ['one failure', [0], undefined],
    ['the eight attempts of one event', ladder(0), undefined],
    ['a failure every day', [0, 24, 48, 72], 72],
    ['a failure one millisecond before the third day is over', [0, 24, 48, 72 - ms], undefined],
    ['a failure exactly at the end of the third day', [0, 36, 72], 72],
    ['a failure one millisecond later', [0, 36, 72 + ms], 72 + ms],
    ['nothing happens at the end of the third day without an attempt', [0, 24, 48], undefined],
    ['the next attempt after it decides', [0, 24, 48, 90], 90],
    ['a success begins it anew', [0, 24, -48, 72, 96, 119], undefined],
    ['three days from the first failure after the success', [0, 24, -48, 49, 73, 97, 121], 121],
    ['a success as the last word', [0, 24, 48, -71.9, 72], undefined],
    ['a success at the very end', [0, 24, 48, -72], undefined],
    ['a gap of exactly 48 hours goes on', [0, 48, 72], 72],
    ['a gap of more than 48 hours begins it anew', [0, 48 + ms, 72, 96], undefined],
    ['after such a gap three days count from there', [0, 49, 73, 97, 121], 121],
    ['one event fails to its end, another on day ten', [...ladder(0), 240], undefined],
    ['two events, the second while the first is failing', [...ladder(0), ...ladder(45)], 45 + 2676 / 60],
    ['a failure every 47 hours', [0, 47, 94], 94],
    ['a failure every 49 hours, for weeks', [0, 49, 98, 147, 196, 245, 294], undefined],
    ['one in a hundred succeeds', [0, 24, 48, -60, 61, 84, 108, -110, 111, 130], undefined],
    ['many failures at one moment', Array.from({ length: 500 }, () => 5), undefined],
    ['a failure after 72 hours alone, the first and only other one long before', [0, 72], undefined],
  ];
  for (const [name, hours, disabled] of cases) {
    it(`${name}: ${disabled === undefined ? 'stays enabled' : 'is disabled'}`, () => {
      assert.equal(disabledAt(...hours), disabled);
    });
  }
});

describe('the schedule', () => {
  it('has eight attempts, 44 hours and 36 minutes from the first to the last', () => {
    let now = start;
    const delays = [];
    for (let tries = 1; ; tries++) {
      const next = retryAt(tries, now, 0);
      if (!next) break;
      delays.push((next.getTime() - now) / 60_000);
      now = next.getTime();
    }
    assert.deepEqual(delays, [1, 5, 30, 120, 360, 720, 1440]);
    assert.equal(now - start, 44 * hour + 36 * 60_000);
  });

  it('is spread towards later, by 2 s at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, chance) => {
        const exact = retryAt(tries, start, 0)!.getTime();
        const spread = retryAt(tries, start, chance)!.getTime();
        assert.ok(spread >= exact && spread <= exact + 2_000);
      }),
    );
  });
});

it('takes any 2xx as success and nothing else', () => {
  const taken = [undefined, null, 100, 199, 200, 204, 226, 299, 300, 301, 307, 400, 410, 500, 599].filter(isDelivered);
  assert.deepEqual(taken, [200, 204, 226, 299]);
});
