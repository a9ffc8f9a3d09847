import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { groupCommit } from './group-commit.ts';

const pool = await openTestPool();
await pool.query({ text: 'create table kept (id integer)', values: [] });
await pool.query({
  text: `create function end_session() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`,
  values: [],
});
await pool.query({
  text: `create constraint trigger at_commit after insert on kept deferrable initially deferred
    for each row when (new.id = 1) execute function end_session()`,
  values: [],
});

/** Keeps numbers; the connection of the batch with a 1 is lost during its commit. */
const runs: number[][] = [];
const keep = groupCommit(
  pool,
  async (tx, ids: number[]) => {
    runs.push(ids);
    await tx.query({ text: 'insert into kept select unnest($1::int[])', values: [ids] });
    return ids;
  },
  { tenant_of: () => 'a' },
);

it('a batch whose connection is lost during its commit is not run again: it may have committed', async () => {
  const outcomes = await Promise.allSettled([keep(1), keep(2), keep(3)]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.deepEqual(runs, [[1, 2, 3]]);
  assert.equal(await keep(4), 4);
});
