import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { openTestPool } from '@majlis/testing/open-test-pool';
import pino from 'pino';
import { startClock } from '../process/clock.ts';
import type { Config } from '../process/config.ts';
import { claim } from './claim-jobs.ts';
import { insertJobs } from './queries.ts';
import { repeatJob } from './repeat-job.ts';

it('a recurring job that two processes inserted goes on once', async () => {
  const pool = await openTestPool();
  const clock = await startClock(pool, pino({ level: 'silent' }));
  cleanUp('the clock', () => clock.stop());
  const performed: string[] = [];
  const config = { leaseSeconds: 30 } as Config;
  const perform = async () => void performed.push('performed');
  const handler = repeatJob({ pool, clock, config }, { kind: 'test.repeat', every_seconds: 60, perform });
  const group_id = '11111111-0000-4000-8000-000000000000';
  // The clock of the process may be ahead of the database's by the error of its measurement: a job of now would still sleep.
  const run_at = new Date(clock.nowMs() - 60_000);
  const job = { kind: 'test.repeat', group_id, payload: '', run_at };
  await insertJobs(pool, [job, job]);
  const limits = { slots: 2, group_concurrency: 9, under_way: {}, after_group: undefined };
  const { jobs } = await claim(pool, { kind: job.kind, now: clock.now(), ...limits, worker_id: 7, lease_seconds: 30 });
  // A claim has no order among jobs that are due at one time.
  const [older, younger] = jobs.sort((a, b) => a.id - b.id);
  const outcomes = [await handler.run(older!), await handler.run(younger!)];
  assert.deepEqual(outcomes, [{ type: 'done' }, { type: 'finished' }]);
  assert.equal(performed.length, 1);
});
