import { isDatabaseAway } from '../database/is-database-away.ts';
import { isLockTimeout, type LockWait } from '../database/transaction.ts';
import { createTenantQueues } from './tenant-queues.ts';

export interface CoalesceOptions<Item> {
  /** How many batches may be under way at once. */
  concurrency?: number;
  max_items?: number;
  /** Items with equal keys never share a batch and are never in two batches at once. */
  conflict_key?: (item: Item) => string | undefined;
  /**
   * Whose rows an item locks. A batch then waits for locks only shortly. A tenant whose locks take longer gets batches of its
   * own, and an item that meets a held lock there waits alone. Nobody else waits with it (hazard H114).
   */
  tenant_of?: (item: Item) => string;
  /** True for an error that every caller of the batch must see, because running again could not help or could repeat
   * an effect. By default: the database is away, or the connection broke, perhaps during COMMIT. */
  fails_all?: (error: unknown) => boolean;
}

/**
 * Group commit: turns a function of many items into a function of one. Calls that arrive while a batch is under way
 * wait and run together as the next one, so that fifty requests cost one transaction.
 *
 * `run` must be all or nothing (one transaction) and answer one result for each item, by index; within a batch items
 * stand in call order. When it throws, the batch is run again in halves, down to single items, so that only the caller
 * of the culprit sees the error. A shared batch that met a held lock is run again for each tenant alone.
 *
 * The first call of an idle coalescer is flushed at the end of the event loop's turn: every request that was read from
 * its socket in this turn is in the batch. With 64 connections that insert one row each, batches held 29 items on
 * average; flushed in a microtask 27, the first of them often alone.
 */
export function coalesce<Item, Result>(
  run: (items: Item[], lock_wait?: LockWait) => Promise<Result[]>,
  options: CoalesceOptions<Item> = {},
): (item: Item) => Promise<Result> {
  const { concurrency = 1, max_items = 256, conflict_key, tenant_of, fails_all = isDatabaseAway } = options;
  const ready: Call<Item, Result>[] = [];
  /** The keys that are taken, each with the calls that wait for it. */
  const waiting = new Map<string, Call<Item, Result>[]>();
  const parts = createTenantQueues((part: Call<Item, Result>[]) => runBatch(part, 'part'), max_items);
  const separate = createTenantQueues((part: Call<Item, Result>[]) => runBatch(part, 'separate'), max_items);
  const tenantOf = ({ item }: Call<Item, Result>) => tenant_of!(item);
  let calls = 0;
  let under_way = 0;
  let scheduled = false;

  return (item) =>
    new Promise((resolve, reject) => {
      const call = { item, key: conflict_key?.(item), order: calls++, resolve, reject };
      const queue = call.key === undefined ? undefined : waiting.get(call.key);
      if (queue) return void queue.push(call);
      if (call.key !== undefined) waiting.set(call.key, []);
      admit(call);
    });

  function admit(call: Call<Item, Result>): void {
    if (tenant_of && separate.has(tenantOf(call))) separate.add(tenantOf(call), [call]);
    else ready.push(call);
    schedule();
  }

  function schedule(): void {
    if (scheduled || under_way >= concurrency || ready.length === 0) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    while (under_way < concurrency && ready.length > 0) {
      // A call that waited for its key was put behind younger ones.
      const batch = ready.splice(0, max_items).sort((a, b) => a.order - b.order);
      under_way++;
      void runBatch(batch, 'shared').then(() => {
        under_way--;
        schedule();
      });
    }
  }

  /** Answers every caller of the batch, or hands on those who wait for a lock; never rejects. */
  async function runBatch(batch: Call<Item, Result>[], place: Place): Promise<void> {
    let results: Result[];
    try {
      results = await run(
        batch.map(({ item }) => item),
        lockWaitOf(batch, place),
      );
    } catch (error) {
      const isLocked = tenant_of !== undefined && place !== 'alone' && isLockTimeout(error);
      if (isLocked && (place !== 'separate' || batch.length === 1)) return standAside(batch, place);
      if (batch.length === 1 || (!isLocked && fails_all(error))) {
        for (const call of batch) {
          call.reject(error);
          release(call);
        }
        return;
      }
      const middle = batch.length >> 1;
      await runBatch(batch.slice(0, middle), place);
      return runBatch(batch.slice(middle), place);
    }
    // The run has committed by now: to run again could repeat its effects.
    const wrong = results.length !== batch.length;
    batch.forEach((call, index) => {
      if (wrong) call.reject(new Error(`a batch of ${batch.length} items gave ${results.length} results`));
      else call.resolve(results[index] as Result);
      release(call);
    });
  }

  function lockWaitOf([first]: Call<Item, Result>[], place: Place): LockWait | undefined {
    if (!tenant_of) return undefined;
    return place === 'alone' ? { tenant: tenantOf(first!) } : 'short';
  }

  /** Nobody waits for these: the tenants of a shared batch go on apart, and at last the one item that meets the lock. */
  function standAside(batch: Call<Item, Result>[], place: Place): void {
    const tenants = Map.groupBy(batch, tenantOf);
    for (const [tenant, calls] of tenants) {
      if (place === 'shared') parts.add(tenant, calls);
      else separate.keep(tenant);
      if (place === 'part') separate.add(tenant, calls);
      if (place === 'separate') void runBatch(calls, 'alone');
    }
  }

  /** Lets the next call with the same key run. */
  function release({ key }: Call<Item, Result>): void {
    if (key === undefined) return;
    const next = waiting.get(key)!.shift();
    if (next) admit(next);
    else waiting.delete(key);
  }
}

/**
 * Where a batch runs: with other tenants; as one tenant's part of such a batch; as a batch of a tenant that is kept apart; or
 * as a single call that waits for its lock.
 */
type Place = 'shared' | 'part' | 'separate' | 'alone';

interface Call<Item, Result> {
  item: Item;
  key: string | undefined;
  order: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}
