import { type CoalesceOptions, coalesce } from '../concurrency/batch.ts';
import type { Pool } from './pool.ts';
import { type Transaction, transaction } from './transaction.ts';

/** Runs concurrent calls in one transaction, each with its own result. A tenant that waits for a lock runs apart. */
export function groupCommit<Item, Result>(
  pool: Pool,
  run: (tx: Transaction, items: Item[]) => Promise<Result[]>,
  options: CoalesceOptions<Item> & Required<Pick<CoalesceOptions<Item>, 'tenant_of'>>,
): (item: Item) => Promise<Result> {
  return coalesce((items, lock_wait) => transaction(pool, (tx) => run(tx, items), lock_wait), options);
}
