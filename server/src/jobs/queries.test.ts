import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { transaction } from '../database/transaction.ts';
import { type Claim, claim, findOldestReady } from './claim-jobs.ts';
import { pauseGroup, takeWaiting } from './groups.ts';
import type { Job, NewJob } from './job.ts';
import { findDeadWorkers, lockClass, releaseDead, releaseLost } from './leases.ts';
import { finish, finishHeld, insertJobs, isHeld, retry, start } from './queries.ts';
import { stage } from './stage-jobs.ts';

const pool = await openTestPool({ size: 4 });
afterEach(() => pool.query({ text: 'truncate jobs, job_groups, queue_checks', values: [] }));

const now = new Date('2026-11-20T10:00:00.000Z');
const later = new Date(now.getTime() + 60_000);
const [one, two, three] = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
];

const enqueue = (...jobs: Partial<NewJob>[]) =>
  insertJobs(
    pool,
    jobs.map((job) => ({ kind: 'test.run', group_id: one, payload: '', run_at: now, ...job })),
  );

/** As a worker does: claims, and claims again where staging made jobs ready. */
async function take(more: Partial<Claim> = {}): Promise<Job[]> {
  const claims: Claim = {
    kind: 'test.run',
    now,
    slots: 10,
    group_concurrency: 10,
    under_way: {},
    after_group: undefined,
    worker_id: 7,
    lease_seconds: 30,
    ...more,
  };
  const { jobs, staging } = await claim(pool, claims);
  const moved = await stage(pool, claims.kind, claims.now, staging);
  if (moved === 0 || jobs.length === claims.slots) return jobs;
  return [...jobs, ...(await take({ ...more, slots: claims.slots - jobs.length }))];
}

const payloads = (jobs: Job[]) => jobs.map((job) => job.payload);

/** As if its worker had held it for longer than the lease. */
const endLease = ({ id }: Job) =>
  pool.query({ text: `update jobs set leased_until = clock_timestamp() - interval '1 s' where id = $1`, values: [id] });

describe('claim', () => {
  it('takes what is due, in order, and nothing that is held or due later', async () => {
    await enqueue({ payload: 'a' }, { payload: 'b' }, { payload: 'later', run_at: later });
    assert.deepEqual(payloads(await take()), ['a', 'b']);
    assert.deepEqual(payloads(await take()), []);
    assert.deepEqual(payloads(await take({ now: later })), ['later']);
  });

  it('takes a job that sleeps at its moment, and not before', async () => {
    const moment = Date.now() + 3_600_000;
    await enqueue({ payload: 'a', run_at: new Date(moment) });
    assert.deepEqual(await take({ now: new Date(moment - 1) }), []);
    assert.deepEqual(payloads(await take({ now: new Date(moment) })), ['a']);
  });

  it('takes the oldest job of a queue key alone, also while that one is held or put off', async () => {
    await enqueue({ payload: 'a', queue_key: two }, { payload: 'b', queue_key: two }, { payload: 'free' });
    const [first] = await take();
    assert.equal(first!.payload, 'a');
    assert.deepEqual(payloads(await take()), []);
    await retry(pool, [{ job: first!, run_at: later, failed: true }]);
    assert.deepEqual(payloads(await take()), []);
    const [again] = await take({ now: later });
    assert.equal(again!.payload, 'a');
    await finish(pool, [again!]);
    assert.deepEqual(payloads(await take()), ['b']);
  });

  it('lets a queue go on past a job that left it', async () => {
    await enqueue({ payload: 'a', queue_key: two }, { payload: 'b', queue_key: two });
    const [first] = await take();
    await retry(pool, [{ job: first!, run_at: later, failed: true, leaves_queue: true }]);
    assert.deepEqual(payloads(await take()), ['b']);
  });

  it('gives a group no more places than it may have, those under way included', async () => {
    await enqueue({ payload: 'a' }, { payload: 'b' }, { payload: 'c' }, { payload: 'other', group_id: two });
    assert.deepEqual(payloads(await take({ group_concurrency: 2, under_way: { [one]: 1 } })), ['a', 'other']);
  });

  it('begins behind the group served last, so that none starves where places are few', async () => {
    const groups = [one, two, three];
    await enqueue(...groups.flatMap((group_id) => [{ group_id }, { group_id }]));
    const served: string[] = [];
    for (let n = 0; n < 6; n++) {
      const [job] = await take({
        slots: 1,
        group_concurrency: 1,
        ...(served.length > 0 && { after_group: served.at(-1)! }),
      });
      served.push(job!.group_id);
    }
    assert.deepEqual(served, [...groups, ...groups]);
  });

  it('gives a tenant no more places than it has left, and begins behind its group served last', async () => {
    const tenant_id = three;
    await enqueue(...[one, two].flatMap((group_id) => [1, 2, 3].map(() => ({ group_id, tenant_id }))));
    const next = async (left: number, after?: string) => {
      const after_groups = after === undefined ? {} : { [tenant_id]: after };
      const jobs = await take({ tenants: { left: { [tenant_id]: left }, each: 9, after_groups }, slots: 9 });
      return jobs.map(({ group_id }) => group_id);
    };
    assert.deepEqual(await next(0), []);
    assert.deepEqual(await next(1), [one]);
    assert.deepEqual(await next(1, one), [two]);
    assert.deepEqual((await next(3, two)).sort(), [one, one, two]);
  });

  it('leaves a paused group alone until its time', async () => {
    await enqueue({ payload: 'a' }, { payload: 'other', group_id: two });
    await pauseGroup(pool, 'test.run', one, later);
    await pauseGroup(pool, 'test.run', one, now);
    assert.deepEqual(payloads(await take()), ['other']);
    assert.deepEqual(payloads(await take({ now: later })), ['a']);
  });

  it('leaves jobs alone that are older than its watermark', async () => {
    await enqueue({ payload: 'old' }, { payload: 'next', run_at: later });
    assert.deepEqual(payloads(await take({ now: later, since: later, slots: 1 })), ['next']);
    assert.deepEqual(await findOldestReady(pool, 'test.run'), now);
    assert.deepEqual(payloads(await take({ now: later })), ['old']);
  });

  it('gives each job to one of many that ask at once', async () => {
    await enqueue(
      ...Array.from({ length: 100 }, (_, n) => ({ payload: String(n), queue_key: n % 2 ? two : undefined })),
    );
    const taken = (await Promise.all(Array.from({ length: 8 }, () => take({ slots: 20 })))).flat();
    assert.equal(new Set(taken.map((job) => job.id)).size, taken.length);
    assert.equal(taken.filter((job) => job.queue_key).length, 1);
  });
});

describe('a claim that another has followed', () => {
  it('may not begin, finish or put off the job', async () => {
    await enqueue({ payload: 'a' });
    const [first] = await take();
    await endLease(first!);
    const [second] = await take({ worker_id: 8 });
    assert.equal(second!.id, first!.id);
    assert.equal((await start(pool, [first!], now)).size, 0);
    assert.equal(await finish(pool, [first!]), 0);
    await retry(pool, [{ job: first!, run_at: later, failed: true }]);
    assert.equal((await start(pool, [second!], now)).size, 1);
    assert.equal(await finish(pool, [second!]), 1);
  });

  it('may not begin once its lease has ended, though nobody else took the job', async () => {
    await enqueue({ payload: 'a' });
    const [job] = await take();
    await endLease(job!);
    assert.equal((await start(pool, [job!], now)).size, 0);
  });
});

it('isHeld keeps the job from being taken away until the transaction ends', async () => {
  await enqueue({ payload: 'a' });
  const [job] = await take();
  const takeAway = () => pool.query({ text: 'select from jobs where id = $1 for update nowait', values: [job!.id] });
  await transaction(pool, async (tx) => {
    assert.equal(await isHeld(tx, job!), true);
    await assert.rejects(takeAway(), { code: '55P03' });
  });
  assert.equal((await takeAway()).length, 1);
});

describe('a job that has begun', () => {
  it('says so to the next claim when its run broke off', async () => {
    await enqueue({ payload: 'a' });
    const [first] = await take();
    await start(pool, [first!], now);
    await endLease(first!);
    const [second] = await take();
    assert.deepEqual(second!.started_at, now);
    await retry(pool, [{ job: second!, run_at: now, failed: true, interrupted: true }]);
    const [third] = await take();
    assert.deepEqual(third!.started_at, now);
    assert.equal(third!.failures, 1);
  });

  it('is as new when its run asked for another try', async () => {
    await enqueue({ payload: 'a' });
    const [first] = await take();
    await start(pool, [first!], now);
    await retry(pool, [{ job: first!, run_at: now, failed: true }]);
    assert.equal((await take())[0]!.started_at, null);
  });
});

it('releaseDead frees at once what a dead worker held, and nothing of one that lives or came back', async () => {
  const live = await pool.pg.connect();
  await live.query('select pg_advisory_lock($1, 8)', [lockClass]);
  await enqueue({ payload: 'of the dead' }, { payload: 'of the living', group_id: two });
  await take({ worker_id: 7, slots: 1 });
  await take({ worker_id: 8, slots: 1 });
  assert.deepEqual(await findDeadWorkers(pool), [7]);
  assert.deepEqual(await releaseDead(pool, [7, 8]), new Set(['test.run']));
  assert.deepEqual(payloads(await take()), ['of the dead']);
  live.release(true);
});

it('claim starts jobs if asked to, and says which had been started before', async () => {
  await enqueue({ payload: 'a' });
  const [first] = await take({ starts: true, worker_id: 8 });
  assert.equal(first!.started_at, null);
  await releaseLost(pool, { kind: 'test.run', worker_id: 8, running: [], starts: true });
  const [again] = await take({ starts: true });
  assert.equal(again!.started_at, null);
  await endLease(again!);
  const [cutOff] = await take({ starts: true });
  assert.deepEqual(cutOff!.started_at, now);
});

it('takeWaiting takes the jobs of a group that nobody runs, up to so many', async () => {
  await enqueue(
    { payload: 'held' },
    { payload: 'a' },
    { payload: 'b', run_at: later },
    { payload: 'c', run_at: later },
  );
  await enqueue({ payload: 'other', group_id: two });
  const [held] = await take({ slots: 1 });
  assert.equal(held!.payload, 'held');
  const group = { kind: 'test.run', group_id: one };
  assert.deepEqual(await takeWaiting(pool, { ...group, limit: 2 }), ['a', 'b']);
  assert.deepEqual(await takeWaiting(pool, { ...group, limit: 2 }), ['c']);
  assert.deepEqual(payloads(await take({ now: later })), ['other']);
  assert.deepEqual(await finishHeld(pool, [held!, { id: 0, attempts: 1 }]), new Set([held!.id]));
});

it('takeWaiting leaves jobs that were interrupted after their point of no return to a run of their own', async () => {
  await enqueue({ payload: 'cut off' });
  const [begun] = await take({ starts: true });
  await endLease(begun!);
  assert.deepEqual(await takeWaiting(pool, { kind: 'test.run', group_id: one, limit: 2 }), []);
  assert.deepEqual((await take())[0]!.started_at, now);
});

it('releaseLost frees at once what this worker holds without knowing, and nothing that it runs or another holds', async () => {
  await enqueue({ payload: 'run' }, { payload: 'lost' }, { payload: 'of another' });
  const [run] = await take({ slots: 1 });
  await take({ slots: 1 });
  await take({ slots: 1, worker_id: 8 });
  await releaseLost(pool, { kind: 'test.run', worker_id: 7, running: [run!.id] });
  assert.deepEqual(payloads(await take()), ['lost']);
});
