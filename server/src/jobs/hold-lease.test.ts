import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { claim } from './claim-jobs.ts';
import { holdLease } from './hold-lease.ts';
import type { Job } from './job.ts';
import { insertJobs } from './queries.ts';

// One connection: a statement begins after the renewals that were asked for before it.
const pool = await openTestPool({ size: 1 });

const now = new Date('2026-11-20T10:00:00.000Z');
const group_id = '11111111-0000-4000-8000-000000000000';
const lease_seconds = 90;

async function take(): Promise<Job | undefined> {
  const limits = { slots: 1, group_concurrency: 9, under_way: {}, after_group: undefined };
  return (await claim(pool, { kind: 'test.run', now, ...limits, worker_id: 7, lease_seconds })).jobs[0];
}

/** Sets what is left of the lease. */
const leave = (seconds: number) =>
  pool.query({
    text: 'update jobs set leased_until = clock_timestamp() + make_interval(secs => $1)',
    values: [seconds],
  });

async function isRenewed(): Promise<boolean> {
  const text = `select leased_until > clock_timestamp() + interval '60 s' as renewed from jobs`;
  return (await pool.query<{ renewed: boolean }>({ text, values: [] }))[0]!.renewed;
}

it('keeps a job for work that outlasts its lease, and lets it go with the work', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const third = () => t.mock.timers.tick((lease_seconds * 1_000) / 3);
  await insertJobs(pool, [{ kind: 'test.run', group_id, payload: '', run_at: now }]);
  const job = (await take())!;
  const answer = await holdLease(pool, job, lease_seconds, async () => {
    for (let times = 0; times < 3; times++) {
      await leave(30);
      assert.equal(await isRenewed(), false);
      third();
      assert.equal(await isRenewed(), true);
      assert.equal(await take(), undefined);
    }
    return 'done';
  });
  assert.equal(answer, 'done');
  await leave(30);
  third();
  assert.equal(await isRenewed(), false);

  // A worker that lost the lease does not take it back, neither from nobody nor from the next one.
  await holdLease(pool, job, lease_seconds, async () => {
    await leave(-1);
    third();
    assert.equal((await take())?.id, job.id);
    await leave(30);
    third();
    assert.equal(await isRenewed(), false);
  });
});

it('passes on what the work throws', async () => {
  const job = { id: 0, attempts: 0 } as Job;
  await assert.rejects(
    holdLease(pool, job, 1, () => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  );
});
