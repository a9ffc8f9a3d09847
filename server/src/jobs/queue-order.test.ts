import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { drip } from '@majlis/testing/drip';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { seededRandom } from '@majlis/testing/seeded-random';
import { type Transaction, transaction } from '../database/transaction.ts';
import { type Claim, claim } from './claim-jobs.ts';
import type { Job } from './job.ts';
import { finish, insertJobs, retry } from './queries.ts';
import { cancelQueues, cancelUnclaimed, joinQueues } from './queues.ts';
import { stage } from './stage-jobs.ts';

const kind = 'test.run';
const group_id = '11111111-0000-4000-8000-000000000000';
const keys = ['2', '3', '4'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
const pool = await openTestPool({ size: 12 });
afterEach(() => pool.query({ text: 'truncate jobs, queue_checks', values: [] }));
const { seed, next, between, pick: oneOf } = seededRandom();
const chance = (share: number) => next() < share;

/** What a transaction does before it commits takes a while, or fails. */
async function commitLater(work: (tx: Transaction) => Promise<unknown>): Promise<boolean> {
  const rolledBack = new Error('rolled back');
  const fails = chance(0.1);
  return transaction(pool, async (tx) => {
    await work(tx);
    await pause(between(0, 3));
    if (fails) throw rolledBack;
    return true;
  }).catch((error) => {
    if (error === rolledBack) return false;
    throw error;
  });
}

let now = new Date();
const running = new Map<string, Job>();
const lastRun = new Map<string, number>();
let runs = 0;

async function take(slots = 4): Promise<Job[]> {
  const limits: Claim = {
    ...{ kind, now, slots, group_concurrency: 4, under_way: {}, after_group: undefined },
    ...{ worker_id: 7, lease_seconds: 30 },
  };
  const { jobs, staging } = await claim(pool, limits);
  await stage(pool, kind, now, staging);
  return jobs;
}

/** One run of a job, which may break off, be put off, or be done. */
async function run(job: Job): Promise<void> {
  const key = job.queue_key!;
  assert.equal(running.get(key), undefined, `two jobs of one queue key run at once, seed ${seed}`);
  assert.ok(job.id >= (lastRun.get(key) ?? 0), `a younger job of the queue key ran before, seed ${seed}`);
  running.set(key, job);
  lastRun.set(key, job.id);
  runs++;
  await pause(between(0, 2));
  running.delete(key);
  if (chance(0.1)) return endLease(job);
  if (chance(0.2)) return retry(pool, [{ job, run_at: new Date(now.getTime() + oneOf([-1, 500])), failed: true }]);
  if (!(await commitLater((tx) => finish(tx, [job])))) await endLease(job);
}

async function endLease({ id }: Job): Promise<void> {
  const text = `update jobs set leased_until = clock_timestamp() - interval '1 s' where id = $1`;
  await pool.query({ text, values: [id] });
}

/** The jobs of one queue key are inserted one after the other, as under the lock of their conversation. */
async function insertSome(queue_key: string): Promise<void> {
  for (let n = 0; n < 100; n++) {
    const run_at = new Date(now.getTime() + (chance(0.1) ? 500 : 0));
    const jobs = Array.from({ length: chance(0.2) ? 3 : 1 }, () => ({
      kind,
      group_id,
      queue_key,
      payload: '',
      run_at,
    }));
    await commitLater((tx) => insertJobs(tx, jobs));
    await pause(between(0, 5));
  }
}

async function work(until: () => boolean): Promise<void> {
  while (!until()) {
    const jobs = await take();
    await Promise.all(jobs.map(run));
    await pause(1);
  }
}

/** Transactions that take jobs away or only lock them. */
async function disturb(until: () => boolean): Promise<void> {
  while (!until()) {
    const key = oneOf(keys);
    const locked = { text: 'select from jobs where queue_key = $1 order by id for update', values: [key] };
    const disturbance = oneOf([
      (tx: Transaction) => tx.query(locked),
      (tx: Transaction) => cancelQueues(tx, kind, [key]),
      (tx: Transaction) => cancelUnclaimed(tx, kind, key),
    ]);
    await commitLater(disturbance);
    await pause(between(0, 79));
  }
}

async function countLeft(): Promise<number> {
  return (await pool.query<{ n: number }>({ text: 'select count(*)::int as n from jobs', values: [] }))[0]!.n;
}

it('jobs of a queue key run in order, one at a time, and none is forgotten, whatever commits at the same time', async () => {
  let isOver = false;
  const until = () => isOver;
  const others = [work(until), work(until), disturb(until)];
  const ticks = drip(() => {
    now = new Date(now.getTime() + 50);
  }, 5);
  try {
    await Promise.all(keys.map(insertSome));
  } finally {
    isOver = true;
  }
  await Promise.all(others);
  ticks.stop();

  assert.ok(runs > 100);
  // What is left comes to its end: after three claims that brought nothing, something would be forgotten.
  now = new Date(now.getTime() + 10_000);
  for (let idle = 0; idle < 3 && (await countLeft()) > 0; ) {
    const jobs = await take();
    idle = jobs.length === 0 ? idle + 1 : 0;
    await finish(pool, jobs);
  }
  assert.equal(await countLeft(), 0, `jobs are forgotten, seed ${seed}`);
});

it('a queue key that others join goes on in the order of all', async () => {
  const [one, two, three] = keys as [string, string, string];
  const of = (queue_key: string, payload: string) => ({ kind, group_id, queue_key, payload, run_at: new Date(0) });
  await insertJobs(pool, [of(one, 'a'), of(two, 'b'), of(one, 'c'), of(three, 'd'), of(two, 'e')]);
  const [first] = await take(1);
  await joinQueues(pool, kind, [one, two], three);
  const seen: string[] = [];
  for (let jobs = [first!]; jobs.length > 0; jobs = [...(await take()), ...(await take())]) {
    assert.equal(jobs.length, 1);
    seen.push(jobs[0]!.payload);
    await finish(pool, jobs);
  }
  assert.deepEqual(seen, ['a', 'b', 'c', 'd', 'e']);
});

it('a job inserted while the one before it goes is not forgotten, though neither transaction sees the other', async () => {
  const job = { kind, group_id, queue_key: keys[0]!, payload: '', run_at: new Date(0) };
  await insertJobs(pool, [job]);
  const first = await take();
  const finishing = await pool.pg.connect();
  await finishing.query('begin');
  await finishing.query('delete from jobs where id = $1', [first[0]!.id]);
  await insertJobs(pool, [job]);
  assert.deepEqual([...(await take()), ...(await take())], []);
  await finishing.query('commit');
  finishing.release();
  assert.equal([...(await take()), ...(await take())].length, 1);
});
