import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { parseTimestamp } from './parse-timestamp.ts';

it('reads what PostgreSQL writes, whatever the digits of the fraction', () => {
  const cases = {
    '2026-11-20 10:00:00+00': '2026-11-20T10:00:00.000Z',
    '2026-11-20 10:00:00.1+00': '2026-11-20T10:00:00.100Z',
    '2026-11-20 10:00:00.12+00': '2026-11-20T10:00:00.120Z',
    '2026-11-20 10:00:00.123+00': '2026-11-20T10:00:00.123Z',
    '2026-11-20 10:00:00.123987+00': '2026-11-20T10:00:00.123Z',
    '2024-02-29 23:59:59.999+00': '2024-02-29T23:59:59.999Z',
    '0026-01-01 00:00:00+00': '0026-01-01T00:00:00.000Z',
    '9999-12-31 23:59:59.999+00': '9999-12-31T23:59:59.999Z',
  };
  for (const [text, iso] of Object.entries(cases)) assert.equal(parseTimestamp(text).toISOString(), iso, text);
});

it('reads every moment as it was', () => {
  const moments = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
  fc.assert(
    fc.property(moments, (moment) => {
      const text = moment
        .toISOString()
        .replace('T', ' ')
        .replace(/\.?0*Z$/, '+00');
      assert.equal(parseTimestamp(text).getTime(), moment.getTime(), text);
    }),
  );
});
