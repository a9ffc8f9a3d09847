import { isDatabaseAway } from '../database/is-database-away.ts';

export interface CoalesceOptions<Item> {
  /** How many batches may be under way at once. */
  concurrency?: number;
  max_items?: number;
  /** Items with equal keys never share a batch and are never in two batches at once. */
  conflict_key?: (item: Item) => string | undefined;
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
 * of the culprit sees the error.
 *
 * The first call of an idle coalescer is flushed at the end of the event loop's turn: every request that was read from
 * its socket in this turn is in the batch. With 64 connections that insert one row each, batches held 29 items on
 * average; flushed in a microtask 27, the first of them often alone.
 */
export function coalesce<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  options: CoalesceOptions<Item> = {},
): (item: Item) => Promise<Result> {
  const { concurrency = 1, max_items = 256, conflict_key, fails_all = isDatabaseAway } = options;
  const ready: Call<Item, Result>[] = [];
  /** The keys that are taken, each with the calls that wait for it. */
  const waiting = new Map<string, Call<Item, Result>[]>();
  let calls = 0;
  let under_way = 0;
  let scheduled = false;

  return (item) =>
    new Promise((resolve, reject) => {
      const call = { item, key: conflict_key?.(item), order: calls++, resolve, reject };
      const queue = call.key === undefined ? undefined : waiting.get(call.key);
      if (queue) return void queue.push(call);
      if (call.key !== undefined) waiting.set(call.key, []);
      ready.push(call);
      schedule();
    });

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
      void runBatch(run, batch, fails_all).then(() => finish(batch));
    }
  }

  function finish(batch: Call<Item, Result>[]): void {
    under_way--;
    for (const { key } of batch) {
      if (key === undefined) continue;
      const next = waiting.get(key)?.shift();
      if (next) ready.push(next);
      else waiting.delete(key);
    }
    schedule();
  }
}

interface Call<Item, Result> {
  item: Item;
  key: string | undefined;
  order: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Answers every caller of the batch; never rejects. */
async function runBatch<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  batch: Call<Item, Result>[],
  fails_all: (error: unknown) => boolean,
): Promise<void> {
  let results: Result[];
  try {
    results = await run(batch.map((call) => call.item));
  } catch (error) {
    if (batch.length === 1 || fails_all(error)) {
      for (const call of batch) call.reject(error);
      return;
    }
    const middle = batch.length >> 1;
    await runBatch(run, batch.slice(0, middle), fails_all);
    return runBatch(run, batch.slice(middle), fails_all);
  }
  // The run has committed by now: to run again could repeat its effects.
  const wrong = results.length !== batch.length;
  batch.forEach((call, index) => {
    if (wrong) call.reject(new Error(`a batch of ${batch.length} items gave ${results.length} results`));
    else call.resolve(results[index] as Result);
  });
}
