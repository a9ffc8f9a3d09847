import pino from 'pino';
import { openPool, type Pool } from '../../server/src/database/pool.ts';
import { cleanUp } from './cleanup.ts';
import { createTestDatabase } from './test-database.ts';

/** A pool on a migrated database of its own; both are gone after the test file. */
export async function openTestPool({ size = 2, statement_timeout_ms = 10_000 } = {}): Promise<Pool> {
  const { connection, drop } = await createTestDatabase();
  cleanUp('a database', drop);
  const pool = openPool({ connection, size, statement_timeout_ms, log: pino({ level: 'silent' }) });
  cleanUp('a pool', () => pool.close());
  return pool;
}
