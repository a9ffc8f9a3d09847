import type pg from 'pg';

export interface HeldTransaction {
  /** Rolls back. Nothing happens when the transaction has ended before. */
  release(): Promise<void>;
  commit(): Promise<void>;
}

const held = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

/** Runs the statement in a transaction that keeps its locks until it is released (rolled back) or committed. See `whileHeld`. */
export async function holdTransaction(pool: pg.Pool, text: string): Promise<HeldTransaction> {
  const client = await pool.connect();
  const clients = held.get(pool) ?? new Set();
  held.set(pool, clients.add(client));
  const end = async (statement: string) => {
    if (!clients.delete(client)) return;
    try {
      await client.query(statement);
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
  };
  try {
    await client.query('begin');
    await client.query(text);
  } catch (error) {
    await end('rollback');
    throw error;
  }
  return { release: () => end('rollback'), commit: () => end('commit') };
}

/**
 * Ends a pool. A test that failed may hold a transaction still, and the pool alone would wait for it for ever. The connections close
 * behind the end of the pool: the drop of their database may break them.
 */
export async function endPool(pool: pg.Pool): Promise<void> {
  pool.on('error', () => {});
  for (const client of held.get(pool) ?? []) client.release(true);
  await pool.end();
}
