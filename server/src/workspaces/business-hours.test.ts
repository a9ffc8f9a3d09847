import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BusinessHours } from '@majlis/console-api';
import { evaluateHours, findHoursFaults } from './business-hours.ts';

const span = (from: string, until: string) => ({ from, until });
const day = [span('09:00', '13:00'), span('16:00', '20:00')];
// Friday is closed, and Saturday lasts to the end of the day.
const hours: BusinessHours = {
  weekly: [day, day, day, day, day, [], [span('18:00', '00:00')]],
  closed_days: [{ date: '2026-11-18', name: 'National Day' }],
};
const at = (now: string, of = hours) => evaluateHours(of, 'Asia/Muscat', new Date(now));

describe('business hours', () => {
  it('have several spans a day, by the clocks of the zone', () => {
    // Thursday, 19 November 2026. Muscat is four hours ahead.
    assert.deepEqual(at('2026-11-19T05:00:00Z'), { is_open: true });
    assert.deepEqual(at('2026-11-19T08:59:59Z'), { is_open: true });
    assert.deepEqual(at('2026-11-19T09:00:00Z'), {
      is_open: false,
      closed_since: '2026-11-19T13:00',
      opens: '2026-11-19T16:00',
    });
  });

  it('close over days without spans and over closed days', () => {
    assert.deepEqual(at('2026-11-20T10:00:00Z'), {
      is_open: false,
      closed_since: '2026-11-19T20:00',
      opens: '2026-11-21T18:00',
    });
    assert.deepEqual(at('2026-11-18T06:00:00Z'), {
      is_open: false,
      closed_since: '2026-11-17T20:00',
      opens: '2026-11-19T09:00',
    });
  });

  it('last to the end of the day', () => {
    assert.equal(at('2026-11-21T19:59:00Z').is_open, true);
    assert.deepEqual(at('2026-11-21T20:00:00Z'), {
      is_open: false,
      closed_since: '2026-11-21T24:00',
      opens: '2026-11-22T09:00',
    });
  });

  it('are closed since the last closing, also where the clocks went back behind it', () => {
    const weekly = [[span('02:15', '02:30')], [], [], [], [], [], []];
    const since = (now: string) => {
      const { is_open, closed_since } = evaluateHours({ weekly, closed_days: [] }, 'Europe/Berlin', new Date(now));
      return is_open ? 'open' : closed_since;
    };
    assert.equal(since('2026-10-25T00:10:00Z'), '2026-10-18T02:30');
    assert.equal(since('2026-10-25T00:20:00Z'), 'open');
    for (const now of ['00:30', '00:59', '01:00', '01:14']) {
      assert.equal(since(`2026-10-25T${now}:00Z`), '2026-10-25T02:30', now);
    }
    assert.equal(since('2026-10-25T01:20:00Z'), 'open');
    assert.equal(since('2026-10-25T02:10:00Z'), '2026-10-25T02:30');
  });

  it('that are empty never open', () => {
    const none = { weekly: Array.from({ length: 7 }, () => []), closed_days: [] };
    assert.deepEqual(at('2026-11-21T20:00:00Z', none), { is_open: false, closed_since: 'always' });
  });

  it('have no spans that overlap or end before they begin', () => {
    const weekly = [[span('09:00', '13:00'), span('12:00', '15:00')], [span('10:00', '09:00')], [span('9', '10:00')]];
    const faults = findHoursFaults({
      weekly: [...weekly, [], [], [], []],
      closed_days: [{ date: '2026-02-30' }, { date: '2026-03-01' }, { date: '2026-03-01' }],
    });
    assert.deepEqual(
      faults.map(({ pointer }) => pointer),
      [
        '/hours/weekly/0/1/from',
        '/hours/weekly/1/0/until',
        '/hours/weekly/2/0/from',
        '/hours/closed_days/0/date',
        '/hours/closed_days/2/date',
      ],
    );
  });
});
