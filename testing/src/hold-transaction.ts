import type pg from 'pg';

export interface HeldTransaction {
  release(): Promise<void>;
  commit(): Promise<void>;
}

const held = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

/** Runs the statement in a transaction that keeps its locks until it is released (rolled back) or committed. */
export async function holdTransaction(pool: pg.Pool, text: string): Promise<HeldTransaction> {
  const client = await pool.connect();
  const clients = held.get(pool) ?? new Set();
  held.set(pool, clients.add(client));
  await client.query('begin');
  await client.query(text);
  const end = async (statement: string) => {
    await client.query(statement);
    clients.delete(client);
    client.release();
  };
  return { release: () => end('rollback'), commit: () => end('commit') };
}

/** Ends a pool. A test that failed may hold a transaction still, and the pool alone would wait for it for ever. */
export async function endPool(pool: pg.Pool): Promise<void> {
  for (const client of held.get(pool) ?? []) client.release(true);
  await pool.end();
}
