import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@majlis/testing/eventually';
import { openTestPool } from '@majlis/testing/open-test-pool';
import { transaction } from './transaction.ts';

const size = 6;
const pool = await openTestPool({ size });

type Shared = { sharer?: string };
const shared: Shared = { sharer: 'Acme' };
const others: Shared = { sharer: 'Zenith' };
const alone: Shared = {};

/** Answers by which session it was answered. */
async function ask(as: Shared = shared): Promise<number> {
  const [row] = await pool.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid', values: [], ...as });
  return row!.pid;
}
const askTogether = (count: number, as?: Shared) => Promise.all(Array.from({ length: count }, () => ask(as)));
const terminate = (pid: number) => pool.query({ text: 'select pg_terminate_backend($1)', values: [pid] });

/** Two shared statements that wait until they are freed. */
async function standStill(): Promise<() => Promise<void>> {
  await givenBack();
  const locker = await pool.pg.connect();
  await locker.query('select pg_advisory_lock(1)');
  const wait = { text: 'select from pg_advisory_xact_lock_shared(1)', values: [], ...shared };
  const waiting = [pool.query(wait), pool.query(wait)];
  return async () => {
    await locker.query('select pg_advisory_unlock(1)');
    locker.release();
    await Promise.all(waiting);
  };
}

const givenBack = () =>
  eventually(
    () => ({ idle: pool.pg.idleCount, total: pool.pg.totalCount }),
    ({ idle, total }) => idle === total,
  );

describe('statements that share connections', () => {
  it('have one, more where they are many, and no more than half of the pool however many they are', async () => {
    assert.equal(new Set(await askTogether(8)).size, 1);
    assert.equal(new Set(await askTogether(9)).size, 2);
    assert.equal(new Set(await askTogether(50)).size, size / 2);
    await givenBack();
    assert.equal(new Set(await askTogether(50, alone)).size, size);
  });

  it('have those that another sharer has no question for any more', async () => {
    const former = await askTogether(2);
    assert.ok(former.includes(await ask(others)));
  });

  it('give back what nobody asks any more, before it is wanted by others', async () => {
    await askTogether(50);
    await givenBack();
    const held = await Promise.all(Array.from({ length: size }, () => pool.pg.connect()));
    for (const client of held) client.release();
  });

  it('do not wait for those of another sharer', async () => {
    const free = await standStill();
    const sharers = ['Zenith', 'the last that is left to share', 'who finds none'];
    await Promise.all(sharers.map((sharer) => askTogether(4, { sharer })));
    await free();
  });

  it('do not join what stands still', async () => {
    const free = await standStill();
    await pause(50);
    await askTogether(4);
    await free();
  });

  it('fail with their connection, and the next ones have another', async () => {
    await givenBack();
    const pid = await ask();
    const asked = pool.query({ text: 'select pg_sleep(60)', values: [], ...shared });
    const broken = assert.rejects(asked, { code: '57P01' });
    await eventually(
      () =>
        pool.query({
          text: `select from pg_stat_activity where query like '%pg_sleep(60)' and pid = $1`,
          values: [pid],
        }),
      (rows) => rows.length === 1,
    );
    await terminate(pid);
    await broken;
    assert.ok(!(await askTogether(4)).includes(pid));
  });

  it('do not meet a connection that broke while nobody asked it', async () => {
    await givenBack();
    const acquired = once(pool.pg, 'acquire');
    const pid = await ask();
    const [client] = await acquired;
    const broken = once(client, 'error');
    await terminate(pid);
    await broken;
    assert.notEqual(await ask(), pid);
  });

  it('leave a pool of one connection to everybody', async () => {
    const small = await openTestPool({ size: 1 });
    const short = { text: 'select 1 as one', values: [], ...shared };
    const asked = Promise.all([small.query(short), transaction(small, (tx) => tx.query(short)), small.query(short)]);
    assert.deepEqual(await asked, [[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]]);
    await small.query(short);
    assert.equal(small.pg.idleCount, 1);
  });
});
