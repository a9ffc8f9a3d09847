import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { openTestPool } from '@majlis/testing/open-test-pool';
import type { Clock } from '../process/clock.ts';
import { expiryOf, listOld } from './find-expired.ts';
import { previewRetention } from './preview-retention.ts';

const pool = await openTestPool();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const clock = { nowMs: () => now } as Clock;
const hour = 3_600_000;
const day = 24 * hour;
const [workspace_id, channel_id, contact_id] = [randomUUID(), randomUUID(), randomUUID()];
const run = (text: string, values: unknown[] = []) => pool.query({ text, values });

before(async () => {
  await run(`insert into workspaces (id, name, created_at) values ($1, 'Acme', now())`, [workspace_id]);
  await run(`insert into contacts (workspace_id, id, created_at) values ($1, $2, now())`, [workspace_id, contact_id]);
  await run(
    `insert into channels (workspace_id, id, type, waba_id, phone_number_id, access_token, app_secret, app_secret_fingerprint,
       verify_token, verify_token_fingerprint, created_at) values ($1, $2, 'chatapp', '1', '2', '', '', '', '', '', now())`,
    [workspace_id, channel_id],
  );
});

/** A closed conversation with its last message so long ago. */
async function insertConversation(ago: number): Promise<string> {
  const [id, at] = [randomUUID(), new Date(now - ago)];
  await run(
    `insert into conversations (workspace_id, id, contact_id, channel_id, channel_type, status, is_current, last_message_at,
       created_at) values ($1, $2, $3, $4, 'chatapp', 'closed', false, $5, $5)`,
    [workspace_id, id, contact_id, channel_id, at],
  );
  return id;
}

async function findExpired(): Promise<string[]> {
  const found = await listOld(pool, expiryOf(clock, workspace_id, 30), { after: undefined, count: 100 });
  await run('delete from messages');
  await run('delete from idempotency_keys');
  await run('delete from conversations');
  return found.flatMap(({ id, is_expired }) => (is_expired ? [id] : []));
}

describe('a conversation expires', () => {
  it('at the millisecond, the oldest first', async () => {
    const [exact, older] = [await insertConversation(30 * day), await insertConversation(30 * day + 1)];
    await insertConversation(30 * day - 1);
    assert.deepEqual(await findExpired(), [older, exact]);
  });

  it('so long after its last note too', async () => {
    const ids = [];
    for (const ago of [30 * day - 1, 30 * day, 30 * day + 1]) {
      const id = await insertConversation(40 * day);
      await run(
        `insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, created_at)
         values ($1, $2, $3, $4, 'outbound', 'note', $5)`,
        [workspace_id, randomUUID(), id, channel_id, new Date(now - ago)],
      );
      ids.push(id);
    }
    assert.deepEqual((await findExpired()).sort(), ids.slice(1).sort());
  });

  it('a day after its closing and the last request that may be repeated', async () => {
    const ids = [];
    for (const ago of [day - 1, day, day + 1]) {
      const [closed, repeated] = [await insertConversation(40 * day), await insertConversation(40 * day)];
      const at = new Date(now - ago);
      await run(
        `insert into conversation_closings (workspace_id, id, conversation_id, opened_at, closed_at)
         values ($1, $2, $3, $4, $4)`,
        [workspace_id, randomUUID(), closed, at],
      );
      await run(
        `insert into idempotency_keys (workspace_id, operation, key, fingerprint, status, body, conversation_id, created_at)
         values ($1, 'POST /v1/messages', $2, '', 201, '{}', $3, $4)`,
        [workspace_id, randomUUID(), repeated, at],
      );
      ids.push(closed, repeated);
    }
    assert.deepEqual((await findExpired()).sort(), ids.slice(2).sort());
  });

  it('in pages, none twice', async () => {
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await insertConversation(40 * day));
    const expiry = expiryOf(clock, workspace_id, 30);
    const first = await listOld(pool, expiry, { after: undefined, count: 3 });
    const next = await listOld(pool, expiry, { after: first.at(-1), count: 3 });
    assert.deepEqual([...first, ...next].map(({ id }) => id).sort(), ids.sort());
    const count = (size: number, bound: number) =>
      previewRetention(pool, clock, { workspace_id, days: 30, size, bound });
    const nothing = { messages: 0, files: 0 };
    assert.deepEqual(await count(2, 100), { ...nothing, conversations: 5, has_more: false });
    assert.deepEqual(await count(2, 4), { ...nothing, conversations: 4, has_more: true });
    await findExpired();
  });
});
