import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { createTestDatabase } from '@majlis/testing/test-database';
import pino from 'pino';
import { openPool } from './pool.ts';

it('logs an idle connection that breaks, but not after its close', async () => {
  const { connection, drop } = await createTestDatabase();
  cleanUp('the database', drop);
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const pool = openPool({ connection, size: 2, statement_timeout_ms: 5_000, log });
  const idle = await Promise.all([pool.pg.connect(), pool.pg.connect()]);
  for (const client of idle) client.release();
  idle[0]!.emit('error', new Error('terminating connection'));
  assert.equal(lines.length, 1);
  const closed = pool.close();
  // The embedded PostgreSQL ends right behind its clients.
  idle[1]!.emit('error', new Error('terminating connection'));
  await closed;
  assert.equal(lines.length, 1);
});
