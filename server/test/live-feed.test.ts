import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { forgetChanges, readHead } from '../src/live/feed.ts';

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

it('two processes that place changes at one moment give no place twice', async () => {
  const pool = await openTestPool({ size: 6 });
  const majlis = { sql: async (text: string, values: unknown[] = []) => (await pool.pg.query(text, values)).rows };
  const open = async () => {
    const client = await pool.pg.connect();
    cleanUp('a connection', () => client.release(true));
    return client;
  };
  const insert = `insert into live_changes (workspace_id, kind) select gen_random_uuid(), 'contact' from generate_series(1, 5)`;
  // The first process stops before its commit, with the changes placed.
  await pool.pg.query(`create function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(34); return null; end $$`);
  await pool.pg.query(`create constraint trigger waits after update on live_feed deferrable initially deferred
    for each row execute function wait_for_test()`);
  await readHead(pool);
  const [gate, late] = [await open(), await open()];
  await gate.query('select pg_advisory_lock(34)');
  // These have lower ids than the others, and are committed after the first process has looked.
  await late.query('begin');
  await late.query(insert);
  await pool.pg.query(insert);
  const first = readHead(pool);
  await untilWaiting(majlis, 1);
  await late.query('commit');
  const second = readHead(pool);
  await untilWaiting(majlis, 2);
  // A place that is given twice is refused at the end, and the work done again: nobody begins it before the first has ended.
  const waiting = await majlis.sql(`select query from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%update live_changes%'`);
  assert.deepEqual(waiting, []);
  await gate.query('select pg_advisory_unlock(34)');
  await Promise.all([first, second]);
  const { rows } = await pool.pg.query('select position from live_changes order by position');
  assert.deepEqual(
    rows.map(({ position }) => position),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
});

describe('a client that has all up to now reads everything again', () => {
  for (const hasPosition of [true, false]) {
    it(`once a later change is deleted that ${hasPosition ? 'has a' : 'never got a'} position`, async () => {
      const pool = await openTestPool();
      await readHead(pool);
      await pool.pg.query(`insert into live_changes (workspace_id, kind) values (gen_random_uuid(), 'contact')`);
      assert.equal(await forgetChanges(pool), false);
      const { position: known, ...young } = await readHead(pool);
      assert.deepEqual([known, young.forgotten], [1, 0], 'the change is kept while it is young');
      if (hasPosition) await pool.pg.query('update live_feed set position = 2');
      await pool.pg.query(`delete from live_changes; insert into live_changes (workspace_id, kind, position, changed_at)
        values (gen_random_uuid(), 'contact', ${hasPosition ? 2 : null}, now() - interval '1 hour')`);
      await forgetChanges(pool);
      const { rows } = await pool.pg.query('select from live_changes');
      assert.equal(rows.length, 0);
      const { position, forgotten } = await readHead(pool);
      assert.ok(forgotten > known && position >= forgotten, `${known}, ${forgotten}, ${position}`);
    });
  }
});

describe('forgetting old changes', () => {
  it('begins the feed where there is none', async () => {
    const pool = await openTestPool();
    assert.equal(await forgetChanges(pool), true);
    assert.equal(await forgetChanges(pool), false);
    assert.equal((await readHead(pool)).position, 0);
  });

  for (const hasPosition of [true, false]) {
    it(`goes on while those are left that ${hasPosition ? 'have a' : 'never got a'} position`, async () => {
      const pool = await openTestPool();
      const countLeft = async () => (await pool.pg.query('select from live_changes')).rowCount;
      await readHead(pool);
      await pool.pg.query(`insert into live_changes (workspace_id, kind, changed_at)
        select gen_random_uuid(), 'contact', now() - interval '1 day' from generate_series(1, 10001)`);
      if (hasPosition) await readHead(pool);
      assert.deepEqual([await forgetChanges(pool), await countLeft()], [true, 1]);
      assert.deepEqual([await forgetChanges(pool), await countLeft()], [false, 0]);
    });
  }
});
