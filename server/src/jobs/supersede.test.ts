import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { claim } from './claim-jobs.ts';
import type { Job } from './job.ts';
import { insert } from './queries.ts';
import { supersede } from './supersede.ts';

const pool = await openTestPool();

const now = new Date('2026-11-20T10:00:00.000Z');
const group_id = '11111111-0000-4000-8000-000000000000';

async function take(): Promise<Job> {
  const limits = { slots: 1, group_concurrency: 9, under_way: {}, after_group: undefined };
  const { jobs } = await claim(pool, { kind: 'test.run', now, ...limits, worker_id: 7, lease_seconds: 30 });
  return jobs[0]!;
}

it('of jobs that come again and again the youngest carries on, and takes away those that wait', async () => {
  const job = { kind: 'test.run', group_id, payload: '', run_at: now };
  await insert(pool, [job, job, job]);
  const oldest = await take();
  assert.equal(await supersede(pool, oldest), false);
  const [middle, youngest] = [await take(), await take()];
  assert.equal(await supersede(pool, middle), false);
  await pool.query({ text: 'update jobs set leased_until = null where id = $1', values: [middle.id] });
  assert.equal(await supersede(pool, youngest), true);
  const left = await pool.query<{ id: number }>({ text: 'select id from jobs order by id', values: [] });
  assert.deepEqual(left, [{ id: oldest.id }, { id: youngest.id }]);
});
