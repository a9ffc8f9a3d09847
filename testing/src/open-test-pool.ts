import { after } from 'node:test';
import pino from 'pino';
import { openPool, type Pool } from '../../server/src/database/pool.ts';
import { createTestDatabase } from './test-database.ts';

/** A pool on a migrated database of its own; both are gone after the test file. */
export async function openTestPool({ size = 2, statement_timeout_ms = 10_000 } = {}): Promise<Pool> {
  const { connection, drop } = await createTestDatabase();
  const pool = openPool({ connection, size, statement_timeout_ms, log: pino({ level: 'silent' }) });
  after(async () => {
    await pool.close();
    await drop();
  });
  return pool;
}
