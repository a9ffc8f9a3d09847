import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { formatTimestamp } from './format-timestamp.ts';

it('writes every moment as JavaScript does, in whatever order they come', () => {
  const near = fc.integer({ min: -2 * 86_400_000, max: 2 * 86_400_000 }).map((ms) => new Date(ms));
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.date({ noInvalidDate: true }), near)), (moments) => {
      for (const moment of moments) assert.equal(formatTimestamp(moment), moment.toISOString());
    }),
  );
});
