import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createApi, type Reply } from '@majlis/testing/api';
import { repeatUntil } from '@majlis/testing/repeat-until';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';

const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
const majlis = await startTestService({ env: { REDIS_URL } });
const other = await majlis.another();
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => make(i));
const leftOf = ({ headers }: Reply) => Number(headers.get('ratelimit-remaining'));

/** Clients of the workspace by each of three keys, in each of the two processes. */
async function sixClients() {
  const names = ['first', 'second', 'third'];
  const { applied } = await majlis.workspace({ api_keys: names.map((name) => ({ name, scopes: ['messages:write'] })) });
  return [majlis, other].flatMap(({ url }) => names.map((_, i) => createApi(url, applied.api_keys[i].key)));
}

const count = (text: string) => [majlis, other].flatMap(({ log }) => log).filter((line) => line.includes(text)).length;
const countLosses = () => count('Redis does not answer');

/**
 * A process that is too busy to hear Redis within 250 ms counts for itself. What is measured meanwhile says nothing of both
 * together, so it is measured again.
 */
async function together(measure: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = countLosses();
    try {
      return await measure();
    } catch (error) {
      if (countLosses() === before || attempt === 5) throw error;
    }
    const { key } = await majlis.workspace();
    await repeatUntil(
      () => count('Redis answers again') === countLosses(),
      () => Promise.all([majlis, other].map(({ url }) => createApi(url, key).get('/me'))),
    );
  }
}

describe('two processes that share a Redis', () => {
  it('admit 600 requests of a workspace together, over all its keys, and no more', async () => {
    await together(async () => {
      const apis = await sixClients();
      const replies: Reply[] = [];
      // In waves, which keep the processes less busy.
      for (let wave = 0; wave < 11; wave++)
        replies.push(...(await Promise.all(times(60, (i) => apis[i % 6]!.get('/me')))));
      const admitted = replies.filter(({ status }) => status === 200);
      assert.deepEqual(
        admitted.map(leftOf).sort((a, b) => a - b),
        times(600, (i) => i),
      );
      for (const { status, headers } of replies) {
        if (status === 200) continue;
        assert.equal(status, 429);
        assert.match(headers.get('retry-after')!, /^[1-9]\d?$/);
        assert.equal(headers.get('ratelimit-reset'), headers.get('retry-after'));
      }
      for (const api of apis) assert.equal((await api.get('/me')).status, 429);
    });
  });

  it('admit no more than 50 sends in any second together', async () => {
    await together(async () => {
      const apis = await sixClients();
      const log: { start: number; end: number }[] = [];
      const press = async (i: number) => {
        const start = performance.now();
        const { status } = await apis[i]!.post('/messages', { to: '+96891234567', ...templateMessage });
        if (status !== 429) log.push({ start, end: performance.now() });
        else await wait(7);
      };
      await Promise.all(
        times(6, (i) =>
          repeatUntil(
            () => log.length >= 120,
            () => press(i),
          ),
        ),
      );
      for (const { start } of log) {
        const inside = log.filter((request) => request.start >= start && request.end < start + 1000);
        assert.ok(inside.length <= 50, `${inside.length} within one second`);
      }
    });
  });

  it('hold a workspace to its limits each for itself where Redis is away', async () => {
    const [first, second] = [await majlis.another({ REDIS_URL: 'redis://127.0.0.1:1' }), other];
    const { key } = await majlis.workspace();
    const [api, shared] = [createApi(first.url, key), createApi(second.url, key)];
    const replies = await Promise.all(times(610, () => api.get('/me')));
    assert.equal(replies.filter(({ status }) => status === 200).length, 600);
    assert.equal(replies.filter(({ status }) => status === 429).length, 10);
    assert.equal(leftOf(await shared.get('/me')), 599);
    await first.stop();
  });
});
