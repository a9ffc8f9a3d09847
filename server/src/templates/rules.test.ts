import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isNameBlocked, nextSubmission } from './rules.ts';

it('blocks a name for thirty days to the millisecond', () => {
  const deleted_at = new Date('2026-11-01T10:00:00.123Z');
  assert.equal(isNameBlocked(deleted_at, deleted_at), true);
  assert.equal(isNameBlocked(deleted_at, new Date('2026-12-01T10:00:00.122Z')), true);
  assert.equal(isNameBlocked(deleted_at, new Date('2026-12-01T10:00:00.123Z')), false);
  assert.equal(isNameBlocked(undefined, deleted_at), false);
});

it('lets a hundred templates of an account go in any hour', () => {
  const now = new Date('2026-11-01T10:00:00Z');
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const taken = Array.from({ length: 99 }, (_, n) => ago(n / 2));
  assert.deepEqual(nextSubmission(taken, now), now);
  assert.deepEqual(nextSubmission([...taken, ago(50)], now), new Date('2026-11-01T10:10:00Z'));
  assert.deepEqual(nextSubmission([...taken, ago(50), ago(55)], now), new Date('2026-11-01T10:10:00Z'));
});
