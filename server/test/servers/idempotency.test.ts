import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';
import { parseId } from '../../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const other = await majlis.another();
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => make(i));

describe('two processes on one database', () => {
  it('act once for each of 60 keys, which 20 calls to either send at once', async () => {
    const workspace = await majlis.workspace();
    const apis = [workspace.api, createApi(other.url, workspace.key)];
    const keys = times(60, () => randomUUID());
    const calls = times(1200, (i) => ({
      key: keys[i % 60]!,
      to: `+9689123${1000 + (i % 60)}`,
      api: apis[(i % 7) % 2]!,
    }));
    const replies = await Promise.all(
      calls.map(({ key, to, api }) => api.post('/messages', { to, ...templateMessage }, { 'idempotency-key': key })),
    );
    keys.forEach((_, k) => {
      const [first, ...others] = replies.filter((_, i) => i % 60 === k);
      assert.equal(first!.status, 201, first!.text);
      for (const { status, text } of others) assert.deepEqual([status, text], [201, first!.text]);
    });
    assert.equal(await count('messages', workspace.id), 60);
    assert.equal(await count('contacts', workspace.id), 60);
  });

  it('let one of two bodies act under a key, and refuse the other, however they race', async () => {
    const workspace = await majlis.workspace();
    const apis = [workspace.api, createApi(other.url, workspace.key)];
    const rounds = await Promise.all(
      times(40, async (round) => {
        const headers = { 'idempotency-key': `round ${round}` };
        const bodies = [100, 200].map((n) => ({ to: `+96891234${n + round}`, ...templateMessage }));
        return Promise.all(apis.map((api, i) => api.post('/messages', bodies[i], headers)));
      }),
    );
    for (const pair of rounds) assert.deepEqual(pair.map(({ status }) => status).sort(), [201, 409]);
    assert.equal(await count('messages', workspace.id), 40);
  });

  it('share a contact and a conversation between sends that race without keys', async () => {
    const workspace = await majlis.workspace();
    const apis = [workspace.api, createApi(other.url, workspace.key)];
    const replies = await Promise.all(
      times(120, (i) => apis[i % 2]!.post('/messages', { to: `+9689123400${i % 6}`, ...templateMessage })),
    );
    assert.equal(new Set(replies.map(({ body }) => body.conversation_id)).size, 6);
    assert.deepEqual(
      await Promise.all(['messages', 'contacts', 'conversations'].map((of) => count(of, workspace.id))),
      [120, 6, 6],
    );
  });
});

async function count(table: string, workspace_id: string): Promise<number> {
  const text = `select count(*) from ${table} where workspace_id = $1`;
  return (await majlis.sql<{ count: number }>(text, [parseId('workspace', workspace_id)]))[0]!.count;
}
