import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTestPool } from '@majlis/testing/open-test-pool';
import pino from 'pino';
import { transaction } from '../../database/transaction.ts';
import { startClock } from '../../process/clock.ts';
import { type CountedAttempt, countAttempts } from './count-attempts.ts';

const pool = await openTestPool();
const query = (text: string, values: unknown[] = []) => pool.query<Record<string, unknown>>({ text, values });
const [workspace_id, endpoint_id] = ['1', '2'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`) as [
  string,
  string,
];
const start = Date.UTC(2026, 10, 20, 10);
const at = (hours: number) => new Date(start + hours * 3_600_000);

it('keeps an endpoint enabled whose success is recorded together with the failure of its third day', async () => {
  const log = pino({ level: 'silent' });
  const clock = await startClock(pool, log);
  await query(`insert into workspaces (id, name, created_at) values ($1, 'Acme', now())`, [workspace_id]);
  await query(
    `insert into webhook_endpoints (workspace_id, id, url, events, secret, failing_since, last_failure_at, created_at)
     values ($1, $2, 'https://hooks.acme.example/', '{*}', '', $3, $4, $3)`,
    [workspace_id, endpoint_id, at(0), at(47)],
  );
  const count = async (...attempts: [hours: number, is_delivered: boolean][]) => {
    const counted = attempts.map(([hours, is_delivered]): CountedAttempt => {
      return { workspace_id, endpoint_id, term: 1, at: at(hours), is_delivered, reason: 'answered 500' };
    });
    return [...(await transaction(pool, (tx) => countAttempts(tx, { clock, log }, counted))).disabled];
  };
  const read = async () => (await query('select enabled, failing_since, last_failure_at from webhook_endpoints'))[0];
  try {
    // The order of the batch is not the order of the attempts.
    assert.deepEqual(await count([72.5, true], [72, false]), []);
    assert.deepEqual(await read(), { enabled: true, failing_since: null, last_failure_at: null });
    assert.deepEqual(await count([73, true], [73.5, false]), []);
    assert.deepEqual(await read(), { enabled: true, failing_since: at(73.5), last_failure_at: at(73.5) });
    assert.deepEqual(await count([110, false], [146, false]), [endpoint_id]);
    assert.deepEqual(await read(), { enabled: false, failing_since: at(73.5), last_failure_at: at(146) });
  } finally {
    clock.stop();
  }
});
