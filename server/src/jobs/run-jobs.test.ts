import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { cleanUp, within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { createTestDatabase } from '@majlis/testing/test-database';
import pino from 'pino';
import { openPool } from '../database/pool.ts';
import { transaction } from '../database/transaction.ts';
import { startClock } from '../process/clock.ts';
import { createMetrics } from '../process/metrics.ts';
import { enqueueJobs } from './enqueue.ts';
import type { Job, JobHandler, JobOutcome, NewJob } from './job.ts';
import { start } from './queries.ts';
import { type JobRunner, runJobs } from './run-jobs.ts';

const database = await createTestDatabase();
cleanUp('the database', () => database.drop());
const log = pino({ level: 'silent' });
const pool = openPool({ connection: database.connection, size: 6, statement_timeout_ms: 10_000, log });
cleanUp('the pool', () => pool.close());
const clock = await startClock(pool, log);
cleanUp('the clock', () => clock.stop());
const metrics = createMetrics(() => 0);
const running: JobRunner[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((runner) => runner.stop()));
  await pool.query({ text: 'truncate jobs', values: [] });
});

const group_id = '11111111-0000-4000-8000-000000000000';
const enqueue = (...jobs: Partial<NewJob>[]) =>
  transaction(pool, (tx) =>
    enqueueJobs(
      tx,
      jobs.map((job) => ({ kind: 'test.run', group_id, payload: '', run_at: clock.now(), ...job })),
    ),
  );
const left = () => pool.query<{ failures: number }>({ text: 'select failures from jobs', values: [] });

async function runWith(run: (job: Job) => Promise<JobOutcome>): Promise<JobRunner> {
  const handlers: JobHandler[] = [{ kind: 'test.run', concurrency: 4, group_concurrency: 4, run }];
  const runner = await runJobs({ pool, clock, log, metrics, handlers, lease_seconds: 30 });
  running.push(runner);
  return runner;
}

describe('a runner', () => {
  it('runs what is enqueued, once, and forgets it', async () => {
    const seen: string[] = [];
    await runWith(async (job) => {
      seen.push(job.payload);
      return { type: 'done' };
    });
    await enqueue(...Array.from({ length: 50 }, (_, n) => ({ payload: String(n) })));
    await eventually(left, (jobs) => jobs.length === 0);
    assert.equal(seen.length, 50);
    assert.equal(new Set(seen).size, 50);
  });

  it('runs the jobs of a queue key one after the other, in order', async () => {
    const seen: string[] = [];
    let underWay = 0;
    await runWith(async (job) => {
      assert.equal(++underWay, 1);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(job.payload);
      underWay--;
      return { type: 'done' };
    });
    const payloads = Array.from({ length: 30 }, (_, n) => String(n));
    await enqueue(...payloads.map((payload) => ({ payload, queue_key: group_id })));
    await eventually(left, (jobs) => jobs.length === 0);
    assert.deepEqual(seen, payloads);
  });

  it('runs a job again that threw, and says when it had passed its point of no return', async () => {
    const seen: boolean[] = [];
    await runWith(async (job) => {
      seen.push(job.started_at !== null);
      if (seen.length === 2) await start(pool, [job], clock.now());
      if (seen.length < 3) throw new Error('scripted');
      return { type: 'done' };
    });
    await enqueue({});
    await eventually(
      () => clock.advance(30),
      () => seen.length === 3,
    );
    assert.deepEqual(seen, [false, false, true]);
    await eventually(left, (jobs) => jobs.length === 0);
  });

  it('takes up what another process left when that one dies', async () => {
    await enqueue({});
    await pool.query({
      text: `update jobs set worker_id = 999, attempts = 1, leased_until = clock_timestamp() + interval '1 hour'`,
      values: [],
    });
    await runWith(async () => ({ type: 'done' }));
    await eventually(left, (jobs) => jobs.length === 0);
  });

  it('keeps what it holds when its own connection breaks: it registers anew', async () => {
    const locks = () =>
      pool.query<{ pid: number }>({
        text: `select pid from pg_locks l join pg_database d on d.oid = l.database
               where locktype = 'advisory' and datname = current_database()`,
        values: [],
      });
    await runWith(async () => ({ type: 'done' }));
    const [first] = await eventually(locks, (rows) => rows.length === 1);
    await pool.query({ text: 'select pg_terminate_backend($1)', values: [first!.pid] });
    await eventually(locks, (rows) => rows.length === 1 && rows[0]!.pid !== first!.pid);
  });
});

describe('a runner that stops', () => {
  it('waits for the runs under way', async () => {
    let finish = () => {};
    const begun = Promise.withResolvers<void>();
    const runner = await runWith(async () => {
      begun.resolve();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { type: 'done' };
    });
    await enqueue({});
    await within(begun.promise, 30_000, 'the call');
    const stopped = runner.stop();
    finish();
    await stopped;
    assert.deepEqual(await left(), []);
  });

  it('waits for a claim under way, and for what that brings', async () => {
    const runner = await runWith(async () => ({ type: 'done' }));
    await enqueueWhileLocked(runner);
    assert.deepEqual(await left(), []);
  });
});

/** Enqueues a job and stops the runner just while its claim waits for a lock. */
async function enqueueWhileLocked(runner: JobRunner): Promise<void> {
  // A slow first claim makes later ones skip jobs that were due before it. So one job goes before.
  await enqueue({});
  await eventually(left, (jobs) => jobs.length === 0);
  const run_at = clock.now();
  const client = await pool.pg.connect();
  await client.query('begin');
  await client.query('lock table job_groups in access exclusive mode');
  await enqueue({ run_at });
  await eventually(
    () =>
      pool.query({
        text: `select from pg_locks l join pg_stat_activity a using (pid)
               where not l.granted and l.relation = 'job_groups'::regclass and a.datname = current_database()
                 and a.query like '%with recursive%'`,
        values: [],
      }),
    (rows) => rows.length > 0,
  );
  const stopped = runner.stop();
  await client.query('commit');
  client.release();
  await stopped;
}
