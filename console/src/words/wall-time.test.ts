import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { momentOfText, momentOfWallTime, wallTimeAt } from './wall-time.ts';

describe('a wall time', () => {
  it('turns into a moment and back', () => {
    const wall = { year: 2026, month: 10, day: 25, hour: 12, minute: 30 };
    for (const zone of ['Asia/Muscat', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Auckland']) {
      const { weekday, ...shown } = wallTimeAt(momentOfWallTime(wall, zone), zone);
      assert.deepEqual([shown, weekday], [wall, 0]);
    }
  });

  it('becomes the later time where the clocks skip it, and the first moment where they show it twice', () => {
    const cases = [
      ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30Z'],
      ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30Z'],
      ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30Z'],
      ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30Z'],
      ['Africa/Cairo', '2026-04-24T00:30', '2026-04-23T22:30Z'],
      ['Africa/Cairo', '2026-10-29T23:30', '2026-10-29T20:30Z'],
      ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:45Z'],
      ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45Z'],
      ['Pacific/Auckland', '2026-09-27T02:30', '2026-09-26T14:30Z'],
      ['Pacific/Auckland', '2026-04-05T02:30', '2026-04-04T13:30Z'],
    ] as const;
    for (const [zone, text, moment] of cases)
      assert.equal(
        new Date(momentOfText(text, zone)!).toISOString(),
        new Date(moment).toISOString(),
        `${zone} ${text}`,
      );
  });
});
