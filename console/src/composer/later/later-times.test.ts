import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { laterMoments } from './later-times.ts';

const timezone = 'Asia/Muscat';
const at = (text: string) => Date.parse(`${text}:00+04:00`);
const offered = (now: string, opens?: string) =>
  laterMoments(at(now), { timezone, opens }).map((one) => [
    one.choice,
    new Date(one.at + 4 * 3_600_000).toISOString().slice(0, 16),
  ]);

describe('the moments of a later send', () => {
  it('are by the clocks of the workspace, in their order', () => {
    assert.deepEqual(offered('2026-11-26T10:30'), [
      ['hour', '2026-11-26T11:30'],
      ['evening', '2026-11-26T18:00'],
      ['tomorrow', '2026-11-27T09:00'],
    ]);
  });

  it('leave out an evening that is near or over', () => {
    for (const now of ['2026-11-26T17:00', '2026-11-26T17:30', '2026-11-26T18:00', '2026-11-26T23:10']) {
      assert.deepEqual(
        offered(now).map(([choice]) => choice),
        ['hour', 'tomorrow'],
      );
    }
  });

  it('have the opening of a closed business, once where it is tomorrow morning', () => {
    assert.deepEqual(offered('2026-11-26T20:00', '2026-11-27T08:00'), [
      ['hour', '2026-11-26T21:00'],
      ['opening', '2026-11-27T08:00'],
      ['tomorrow', '2026-11-27T09:00'],
    ]);
    assert.deepEqual(
      offered('2026-11-26T20:00', '2026-11-27T09:00').map(([choice]) => choice),
      ['hour', 'opening'],
    );
    assert.deepEqual(offered('2026-11-26T08:40', '2026-11-26T09:00')[0], ['opening', '2026-11-26T09:00']);
  });
});
