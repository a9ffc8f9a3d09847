import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import fc from '@majlis/testing/fast-check';
import { coalesce } from './batch.ts';

interface Item {
  id: number;
  key: string;
}

const items = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 40 })
  .map((keys) => keys.map((key, id): Item => ({ id, key })));

describe('coalesce', () => {
  it('gives every caller exactly its own result, runs no item twice, keeps call order within a batch', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), items, fc.integer({ min: 1, max: 4 }), async (scheduler, all, concurrency) => {
        const batches: Item[][] = [];
        let under_way = 0;
        const call = coalesce(
          async (batch: Item[]) => {
            assert.ok(++under_way <= concurrency, 'more batches at once than allowed');
            batches.push(batch);
            await scheduler.schedule(Promise.resolve());
            under_way--;
            return batch.map((item) => item.id);
          },
          { concurrency, max_items: 7 },
        );
        assert.deepEqual(await callAtRandomTimes(scheduler, all, call), all);
        assert.equal(new Set(batches.flat()).size, all.length);
        assert.equal(batches.flat().length, all.length);
        for (const batch of batches) assert.ok(batch.length <= 7);
      }),
    ));

  it('keeps items with equal keys apart: not in one batch, not in two at once, in call order', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), items, async (scheduler, all) => {
        const taken = new Set<string>();
        const seen: Item[] = [];
        const called: Item[] = [];
        const call = coalesce(
          async (batch: Item[]) => {
            const keys = batch.map((item) => item.key).filter((key) => key !== '');
            for (const key of keys) {
              assert.ok(!taken.has(key), `${key} was taken`);
              taken.add(key);
            }
            const orders = batch.map((item) => called.indexOf(item));
            assert.deepEqual(
              orders,
              orders.toSorted((a, b) => a - b),
            );
            seen.push(...batch);
            await scheduler.schedule(Promise.resolve());
            for (const key of keys) taken.delete(key);
            return batch.map((item) => item.id);
          },
          { concurrency: 3, conflict_key: (item) => item.key || undefined },
        );
        await callAtRandomTimes(scheduler, all, (item) => {
          called.push(item);
          return call(item);
        });
        for (const key of ['a', 'b', 'c', 'd']) {
          const of_key = (list: Item[]) => list.filter((item) => item.key === key);
          assert.deepEqual(of_key(seen), of_key(called));
        }
      }),
    ));

  it('shows an error only to the callers of the items that cause it', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), async (culprits) => {
        const done: number[] = [];
        const call = coalesce(async (batch: number[]) => {
          if (batch.some((index) => culprits[index])) throw new Error(`caused by one of ${batch}`);
          done.push(...batch);
          return batch;
        });
        const outcomes = await Promise.allSettled(culprits.map((_, index) => call(index)));
        outcomes.forEach((outcome, index) => {
          if (culprits[index])
            assert.equal((outcome as PromiseRejectedResult).reason.message, `caused by one of ${index}`);
          else assert.deepEqual(outcome, { status: 'fulfilled', value: index });
        });
        assert.deepEqual(
          done,
          [...done].sort((a, b) => a - b),
        );
        assert.equal(new Set(done).size, done.length);
      }),
    ));

  it('keeps tenants that wait for a lock apart: the others do not wait with them, and batches keep the call order', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), items, fc.subarray(['a', 'b', 'c', 'd']), async (scheduler, all, held) => {
        const seen: Item[] = [];
        const called: Item[] = [];
        const free = Promise.withResolvers<void>();
        const others = all.filter(({ key }) => !held.includes(key));
        const call = coalesce(
          async (batch: Item[], lock_wait) => {
            const waits = batch.some(({ key }) => held.includes(key));
            if (waits && lock_wait === 'short') throw Object.assign(new Error('a lock timeout'), { code: '55P03' });
            if (waits) await free.promise;
            else await scheduler.schedule(Promise.resolve());
            assert.equal(new Set(batch.map(({ key }) => key)).size > 1 && waits, false, 'others wait too');
            const orders = batch.map((item) => called.indexOf(item));
            assert.deepEqual(
              orders,
              orders.toSorted((a, b) => a - b),
            );
            seen.push(...batch);
            if (others.every((item) => seen.includes(item))) free.resolve();
            return batch.map((item) => item.id);
          },
          { concurrency: 2, max_items: 7, tenant_of: ({ key }) => key },
        );
        if (others.length === 0) free.resolve();
        const answered = await callAtRandomTimes(scheduler, all, (item) => {
          called.push(item);
          return call(item);
        });
        assert.deepEqual(answered, all);
        assert.equal(seen.length, all.length);
      }),
    ));

  it('runs nothing again after an error that is everybody’s', async () => {
    let runs = 0;
    const call = coalesce(
      async (_: number[]): Promise<number[]> => {
        runs++;
        throw new Error('connection lost');
      },
      { fails_all: (error) => error instanceof Error && error.message === 'connection lost' },
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map(call));
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['rejected', 'rejected', 'rejected'],
    );
    assert.equal(runs, 1);
  });

  it('rejects a run that answers the wrong number of results, without running it again', async () => {
    let runs = 0;
    const call = coalesce(async (batch: number[]) => {
      runs++;
      return batch.slice(1);
    });
    const outcomes = await Promise.allSettled([call(1), call(2)]);
    for (const outcome of outcomes) {
      assert.equal(outcome.status, 'rejected');
      assert.match(String(outcome.reason), /a batch of 2 items gave 1 results/);
    }
    assert.equal(runs, 1);
  });

  it('gathers the calls of one turn of the event loop, and those that arrive while a batch is under way', async () => {
    const batches: number[][] = [];
    const releases: (() => void)[] = [];
    const call = coalesce(async (batch: number[]) => {
      batches.push(batch);
      await new Promise<void>((resolve) => releases.push(resolve));
      return batch;
    });
    const first = [call(1), Promise.resolve().then(() => call(2))];
    await endOfTurn();
    const second = [call(3)];
    await endOfTurn();
    second.push(call(4));
    await endOfTurn();
    assert.deepEqual(batches, [[1, 2]]);
    releases[0]?.();
    await Promise.all(first);
    await endOfTurn();
    releases[1]?.();
    await Promise.all(second);
    assert.deepEqual(batches, [
      [1, 2],
      [3, 4],
    ]);
  });

  it('goes on after a failed batch, and passes a refusal that is a value through as it is', async () => {
    const call = coalesce(async (batch: string[]) => {
      if (batch.includes('throw')) throw new Error('thrown');
      return batch.map((item) => (item === 'refuse' ? new Error('a value') : item));
    });
    await assert.rejects(call('throw'), /thrown/);
    assert.equal(await call('next'), 'next');
    assert.ok((await call('refuse')) instanceof Error);
  });
});

/** Calls each item in a turn that the scheduler chooses, and answers the items whose callers got their own id back. */
async function callAtRandomTimes(scheduler: fc.Scheduler, all: Item[], call: (item: Item) => Promise<number>) {
  const calls = all.map(async (item) => {
    await scheduler.schedule(Promise.resolve());
    return (await call(item)) === item.id ? item : undefined;
  });
  let finished = false;
  const results = Promise.all(calls).finally(() => {
    finished = true;
  });
  while (!finished) {
    if (scheduler.count() > 0) await scheduler.waitOne();
    await endOfTurn();
  }
  return results;
}
