import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { backoffMs } from './backoff.ts';

it('backoffMs doubles from a second to five minutes, and adds a fifth at most', () => {
  fc.assert(
    fc.property(fc.nat(2000), (failures) => {
      const least = Math.min(2 ** failures, 300) * 1000;
      const delay = backoffMs(failures);
      assert.ok(delay >= least && delay <= least * 1.2, `${delay} after ${failures}`);
    }),
  );
});
