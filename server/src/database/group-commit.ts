import { type CoalesceOptions, coalesce } from '../concurrency/batch.ts';
import type { Pool } from './pool.ts';
import { type Transaction, transaction } from './transaction.ts';

interface GroupCommitOptions<Item> extends CoalesceOptions<Item> {
  tenant_of: (item: Item) => string;
}

/** Calls that arrive together run in one transaction, each with its own result; a tenant that waits for a lock runs apart. */
export function groupCommit<Item, Result>(
  pool: Pool,
  run: (tx: Transaction, items: Item[]) => Promise<Result[]>,
  options: GroupCommitOptions<Item>,
): (item: Item) => Promise<Result> {
  return coalesce((items, lock_wait) => transaction(pool, (tx) => run(tx, items), lock_wait), options);
}
