import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { openTestPool } from '@majlis/testing/open-test-pool';
import pino from 'pino';
import { analyzeGrownTables } from './analyze-grown-tables.ts';

const pool = await openTestPool();
const sql = async (text: string) => (await pool.pg.query(text)).rows;

async function fill(count: number): Promise<void> {
  await sql(
    `insert into workspaces (id, name, created_at)
     select id, id, now() from (select gen_random_uuid() as id from generate_series(1, ${count})) as made`,
  );
  await sql('select pg_stat_force_next_flush()');
}

/** The distinct ids by the statistics of the planner. */
const distinctIds = async () =>
  (await sql(`select n_distinct from pg_stats where tablename = 'workspaces' and attname = 'id'`))[0]?.n_distinct;
const changes = async () =>
  Number((await sql(`select pg_stat_get_mod_since_analyze('workspaces'::regclass) as changes`))[0].changes);

it('analyses a table that was only vacuumed since it grew', async () => {
  await fill(2_000);
  await sql('vacuum workspaces');
  assert.equal(await distinctIds(), undefined);
  const analysis = analyzeGrownTables(pool, pino({ level: 'silent' }));
  cleanUp('the analysis', () => analysis.stop());
  assert.equal(await eventually(distinctIds, (found) => found !== undefined), -1);

  await fill(8_000);
  await sql('vacuum workspaces');
  assert.equal(await eventually(changes, (count) => count === 0, 60_000), 0);
});
