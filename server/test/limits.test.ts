import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createApi, type Reply } from '@majlis/testing/api';
import { rawRequest } from '@majlis/testing/raw-request';
import { repeatUntil } from '@majlis/testing/repeat-until';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => make(i));
const number = ({ headers }: Reply, name: string) => Number(headers.get(name));
const leftOf = (reply: Reply) => number(reply, 'ratelimit-remaining');

function assertRateLimited(reply: Reply, limit: number): void {
  assert.deepEqual([reply.status, reply.body.code, reply.body.status], [429, 'rate_limited', 429]);
  const retry_after = reply.headers.get('retry-after')!;
  assert.match(retry_after, /^[1-9]\d*$/);
  assert.ok(Number(retry_after) <= (limit === 600 ? 60 : 1), retry_after);
  assert.equal(reply.headers.get('ratelimit-reset'), retry_after);
  assert.deepEqual([number(reply, 'ratelimit-limit'), leftOf(reply)], [limit, 0]);
  const named = limit === 600 ? '600 requests of any kind a minute' : '50 sends a second';
  assert.equal(reply.body.detail, `The limit is reached: ${named} for each workspace.`);
}

describe('requests', () => {
  it('are admitted 600 at once over all keys of the workspace, and no more', async () => {
    const names = ['first', 'second', 'third'];
    const { applied } = await majlis.workspace({ api_keys: names.map((name) => ({ name })) });
    const apis = names.map((_, index) => createApi(majlis.url, applied.api_keys[index].key));
    const paths = ['/me', '/workspace', '/nowhere', '/conversations?limit=0', '/messages/msg_x'];
    const replies = await Promise.all(times(650, (i) => apis[i % 3]!.get(paths[i % 5]!)));
    const admitted = replies.filter(({ status }) => status !== 429);
    // Each has left one less than another: none was counted twice, or not at all.
    assert.deepEqual(
      admitted.map(leftOf).sort((a, b) => a - b),
      times(600, (i) => i),
    );
    for (const reply of replies) if (reply.status === 429) assertRateLimited(reply, 600);
    for (const api of apis) assertRateLimited(await api.get('/me'), 600);
  });

  it('of one workspace take nothing from another', async () => {
    const [busy, calm] = [await majlis.workspace(), await majlis.workspace()];
    await Promise.all(times(601, () => busy.api.get('/me')));
    assertRateLimited(await busy.api.get('/me'), 600);
    assert.deepEqual([(await calm.api.get('/me')).status, leftOf(await calm.api.get('/me'))], [200, 598]);
  });

  it('say in RateLimit-Reset when the window gives something back, and nothing else moves that', async () => {
    const { api } = await majlis.workspace();
    const reset = async () => number(await api.get('/me'), 'ratelimit-reset');
    assert.equal(await reset(), 60);
    await wait(1100);
    await Promise.all(times(20, reset));
    assert.ok((await reset()) < 60);
  });

  it('are refused before their body is read', async () => {
    const { api, key } = await majlis.workspace();
    await Promise.all(times(600, () => api.get('/me')));
    const headers = [`Authorization: Bearer ${key}`, 'Content-Length: 104857600'];
    for (const [path, type] of [
      ['/v1/media', 'multipart/form-data; boundary=x'],
      ['/v1/messages', 'application/json'],
    ]) {
      const reply = await rawRequest(majlis.url, `POST ${path}`, [...headers, `Content-Type: ${type}`]);
      assert.deepEqual([reply.status, JSON.parse(reply.text).code], [429, 'rate_limited']);
    }
  });
});

describe('sends', () => {
  const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1042'] } };

  it('are admitted 50 at once over both operations, and no more; a refused one counts nowhere', async () => {
    const { api } = await majlis.workspace();
    const { body } = await api.post('/messages', { to: '+96891234567', ...template });
    const paths = ['/messages', `/conversations/${body.conversation_id}/messages`];
    const bodies = [{ to: '+96891234567', ...template }, template];
    let admitted = 1;
    for (let round = 0; round < 2; round++) {
      await wait(1000);
      const start = performance.now();
      const replies = await Promise.all(times(150, (i) => api.post(paths[i % 2]!, bodies[i % 2])));
      const seconds = Math.floor((performance.now() - start) / 1000);
      const count = replies.filter(({ status }) => status === 201).length;
      assert.ok(count >= 50 && count <= 50 * (seconds + 1), `${count} in less than ${seconds + 1} s`);
      for (const reply of replies) if (reply.status !== 201) assertRateLimited(reply, 50);
      admitted += count;
    }
    assert.equal(leftOf(await api.get('/me')), 600 - admitted - 1);
  });

  it('show the limit of which the least is left', async () => {
    const { api } = await majlis.workspace();
    const send = () => api.post('/messages', { to: '+96891234567', ...template });
    assert.deepEqual(shown(await send()), [50, 49]);
    await Promise.all(times(560, () => api.get('/me')));
    await wait(1000);
    assert.deepEqual(shown(await send()), [600, 38]);
    await Promise.all(times(38, () => api.get('/me')));
    assertRateLimited(await api.post('/messages'), 600);
  });

  it('that are refused leave their idempotency key unused', async () => {
    const { api } = await majlis.workspace();
    const send = (key: number, to: string) =>
      api.post('/messages', { to, ...template }, { 'idempotency-key': String(key) });
    const replies = await Promise.all(times(150, (key) => send(key, '+96891234567')));
    const refused = replies.findIndex(({ status }) => status === 429);
    await wait(number(replies[refused]!, 'retry-after') * 1000);
    assert.equal((await send(refused, '+96891234568')).status, 201);
  });

  it('are never more than 50 in any second, however they are spread', async () => {
    const { api } = await majlis.workspace();
    const log: { start: number; end: number }[] = [];
    const press = async () => {
      const start = performance.now();
      const { status } = await api.post('/messages', { to: '+96891234567', ...template });
      if (status !== 429) log.push({ start, end: performance.now() });
      else await wait(7);
    };
    await Promise.all(times(6, () => repeatUntil(() => log.length >= 120, press)));
    // An admission lies somewhere between its start and end: those that lie wholly within a second must be at most 50.
    for (const { start } of log) {
      const inside = log.filter((other) => other.start >= start && other.end < start + 1000);
      assert.ok(inside.length <= 50, `${inside.length} within one second`);
    }
  });

  const shown = (reply: Reply) => [number(reply, 'ratelimit-limit'), leftOf(reply)];
});

describe('a limit of one operation', () => {
  const broadcast = {
    name: 'Sale',
    template: { name: 'spring_sale', language: 'en' },
    audience: { tags: ['vip'] },
    send_at: '2100-01-01T00:00:00Z',
  };

  it('is not used up by refused requests, whatever refused them', async () => {
    const { api, applied } = await majlis.workspace({
      api_keys: [{ name: 'backend', scopes: ['messages:write'] }, { name: 'reader' }],
    });
    const reader = createApi(majlis.url, applied.api_keys[1].key);
    for (let n = 0; n < 6; n++) {
      assert.equal((await api.post('/broadcasts', { ...broadcast, audience: {} })).status, 422);
      assert.equal((await api.post('/broadcasts', '{')).status, 422);
      assert.equal((await reader.post('/broadcasts', broadcast)).status, 403);
    }
    const replies = [];
    for (let n = 0; n < 10; n++) replies.push(await api.post('/broadcasts', broadcast));
    assert.deepEqual(
      replies.map(({ status }) => status),
      times(10, () => 201),
    );
    assert.deepEqual(
      replies.map(leftOf),
      times(10, (n) => 9 - n),
    );
    const refused = await api.post('/broadcasts', { ...broadcast, audience: {} });
    assert.deepEqual([refused.status, number(refused, 'ratelimit-limit')], [429, 10]);
    assert.equal(refused.body.detail, 'The limit is reached: 10 new broadcasts an hour for each workspace.');
  });
});

describe('RATE_LIMITS off', () => {
  it('lifts the limits and keeps the headers', async () => {
    const free = await majlis.another({ RATE_LIMITS: 'off' });
    const { key } = await majlis.workspace();
    const api = createApi(free.url, key);
    const replies = await Promise.all(times(700, (i) => (i % 2 ? api.get('/me') : api.post('/messages'))));
    for (const reply of [...replies, await createApi(free.url, '').get('/me')]) {
      assert.ok([200, 422, 401].includes(reply.status));
      const of = (name: string) => reply.headers.get(`ratelimit-${name}`);
      assert.deepEqual([of('limit'), of('remaining'), of('reset')], ['600', '600', '0']);
    }
    await free.stop();
  });
});
