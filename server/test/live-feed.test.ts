import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { readHead } from '../src/live/feed.ts';

describe('the feed takes many changes at once', () => {
  for (const state of ['was never analysed', 'was analysed when all changes had their places']) {
    it(`on a database that ${state}`, async () => {
      const pool = await openTestPool();
      const change = (count: number) =>
        pool.pg.query(`insert into live_changes (workspace_id, kind)
          select gen_random_uuid(), 'contact' from generate_series(1, ${count})`);
      await change(1_000);
      await readHead(pool);
      if (state.startsWith('was analysed')) await pool.pg.query('analyze live_changes');
      // As an import leaves them.
      await change(60_000);
      const { position } = await readHead(pool);
      assert.equal(position, 61_000);
      const { rows } = await pool.pg.query(`select count(distinct position)::integer as places,
        max(position)::integer as last, bool_and(position = id) as are_in_order from live_changes`);
      assert.deepEqual(rows, [{ places: 61_000, last: 61_000, are_in_order: true }]);
    });
  }
});
