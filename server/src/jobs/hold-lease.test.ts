import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { claim } from './claim-jobs.ts';
import { holdLease } from './hold-lease.ts';
import type { Job } from './job.ts';
import { insert } from './queries.ts';

const pool = await openTestPool();

const now = new Date('2026-11-20T10:00:00.000Z');
const group_id = '11111111-0000-4000-8000-000000000000';

async function take(): Promise<Job | undefined> {
  const limits = { slots: 1, group_concurrency: 9, under_way: {}, after_group: undefined };
  return (await claim(pool, { kind: 'test.run', now, ...limits, worker_id: 7, lease_seconds: 1 })).jobs[0];
}

// Leases run on real time: it takes as long as it takes.
it('keeps a job for work that outlasts its lease, and lets it go with the work', async () => {
  await insert(pool, [{ kind: 'test.run', group_id, payload: '', run_at: now }]);
  const job = (await take())!;
  const answer = await holdLease(pool, job, 1, async () => {
    await pause(2_500);
    assert.equal(await take(), undefined);
    return 'done';
  });
  assert.equal(answer, 'done');
  await pause(1_200);
  const next = await take();
  assert.equal(next?.id, job.id);
  // Whoever lost it does not take it back.
  await holdLease(pool, job, 1, () => pause(1_500));
  assert.equal((await take())?.id, job.id);
});

it('passes on what the work throws', async () => {
  const job = { id: 0, attempts: 0 } as Job;
  await assert.rejects(
    holdLease(pool, job, 1, () => Promise.reject(new Error('broken'))),
    { message: 'broken' },
  );
});
