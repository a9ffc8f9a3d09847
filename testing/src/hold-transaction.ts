import type pg from 'pg';

export interface HeldTransaction {
  release(): Promise<void>;
  commit(): Promise<void>;
}

/** Runs the statement in a transaction that keeps its locks until it is released (rolled back) or committed. */
export async function holdTransaction(pool: pg.Pool, text: string): Promise<HeldTransaction> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(text);
  const end = async (statement: string) => {
    await client.query(statement);
    client.release();
  };
  return { release: () => end('rollback'), commit: () => end('commit') };
}
