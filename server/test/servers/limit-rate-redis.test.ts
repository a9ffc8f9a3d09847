import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { cleanUp } from '@majlis/testing/cleanup';
import { onceWithin } from '@majlis/testing/once-within';
import { repeatUntil } from '@majlis/testing/repeat-until';
import { Redis } from 'ioredis';
import { failOpen } from '../../src/http/limit-rate/fail-open.ts';
import { inMemory } from '../../src/http/limit-rate/in-memory.ts';
import { inRedis } from '../../src/http/limit-rate/in-redis.ts';
import type { Check, RateLimiter } from '../../src/http/limit-rate/rate-limiter.ts';

const redis_url = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
// Longer than the product waits for Redis: no test fails because the machine is busy.
const patience_ms = 30_000;
const owner = () => `ws_${randomUUID()}`;

describe('the limiter in Redis', { timeout: 120_000 }, () => {
  const open = (limiter: RateLimiter) => {
    cleanUp('a limiter', () => limiter.close());
    return limiter;
  };

  it('admits from two racing processes together exactly what one may admit', async () => {
    const processes = [open(inRedis(redis_url, patience_ms)), open(inRedis(redis_url, patience_ms))];
    const checks = checksOf(owner(), 50, 20);
    const race = Array.from({ length: 200 }, (_, i) =>
      processes[i % 2]!.admit(i % 4 < 2 ? checks : checks.slice(0, 1)),
    );
    const admissions = await Promise.all(race);
    assert.equal(admissions.filter((admission) => admission.admitted).length, 50);
    for (const { admitted, reset_seconds, remaining } of admissions) {
      if (admitted) continue;
      assert.ok(Number.isInteger(reset_seconds) && reset_seconds >= 1 && reset_seconds <= 60);
      assert.equal(remaining, 0);
    }
  });

  it('counts a refused request against none of its limits, and a peek against nothing', async () => {
    const limiter = open(inRedis(redis_url, patience_ms));
    const checks = checksOf(owner(), 10, 2);
    for (let i = 0; i < 5; i++) await limiter.admit(checks);
    const { admitted, limit, remaining } = await limiter.peek(checks.slice(0, 1));
    assert.deepEqual([admitted, limit, remaining], [true, 10, 8]);
  });

  it('takes an admission back from the log of one check', async () => {
    const limiter = open(inRedis(redis_url, patience_ms));
    const [wide, narrow] = checksOf(owner(), 10, 2);
    const first = await limiter.admit([wide!, narrow!]);
    await limiter.admit([wide!, narrow!]);
    for (let n = 0; n < 2; n++) assert.equal((await limiter.giveBack([narrow!, wide!], first)).remaining, 1);
    assert.equal((await limiter.peek([wide!])).remaining, 8);
  });

  it('gives room back when the window has passed, and leaves no key behind', async () => {
    const limiter = open(inRedis(redis_url, patience_ms));
    const name = owner();
    const checks = [{ key: `${name}:sends`, limit: 2, window_ms: 2_000 }];
    const admit = async () => (await limiter.admit(checks)).admitted;
    // At once: on a busy machine a window passes between one answer and the next request.
    assert.deepEqual(await Promise.all([admit(), admit(), admit()]), [true, true, false]);
    await until(admit);
    const redis = new Redis(redis_url);
    await until(async () => (await redis.keys(`majlis:rate:{${name}}:*`)).length === 0);
    redis.disconnect();
  });

  it('brings its script along when Redis has lost it', async () => {
    const limiter = open(inRedis(redis_url, patience_ms));
    const redis = new Redis(redis_url);
    await redis.script('FLUSH');
    assert.ok((await limiter.admit(checksOf(owner(), 1, 1))).admitted);
    redis.disconnect();
  });

  it('forgets a log that was written before the clock was set back', async () => {
    const limiter = open(inRedis(redis_url, patience_ms));
    const name = owner();
    const redis = new Redis(redis_url);
    await redis.rpush(`majlis:rate:{${name}}:sends`, String((Date.now() + 3_600_000) * 1000));
    assert.ok((await limiter.admit([{ key: `${name}:sends`, limit: 1, window_ms: 1000 }])).admitted);
    redis.disconnect();
  });

  it('is done without while Redis is silent, and used again once it answers', async () => {
    const line = await interruptible();
    const said: string[] = [];
    const log = { info: () => void said.push('info'), warn: () => void said.push('warn') };
    // A Redis that answers on a busy machine is not taken for a silent one.
    const limiter = open(failOpen(inRedis(line.redis_url, 2_000), inMemory(), log));
    const checks = checksOf(owner(), 1000, 1000);
    assert.equal((await limiter.admit(checks)).remaining, 999);
    line.interrupt();
    assert.equal((await limiter.admit(checks)).remaining, 998, 'counted by the process');
    assert.deepEqual(said, ['warn']);
    line.restore();
    await until(async () => (await limiter.admit(checks)).admitted && said.length === 2);
    assert.deepEqual(said, ['warn', 'info']);
    await limiter.close();
    line.close();
  });
});

function checksOf(name: string, requests: number, sends: number): Check[] {
  return [
    { key: `${name}:requests`, limit: requests, window_ms: 60_000 },
    { key: `${name}:sends`, limit: sends, window_ms: 60_000 },
  ];
}

const until = (condition: () => Promise<boolean>) => repeatUntil(condition, () => wait(10), 15_000);

/** A line to Redis that can fall silent without closing, as a network does. */
async function interruptible() {
  let silent = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const { hostname, port } = new URL(redis_url);
    const far = connect(Number(port) || 6_379, hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => [near, far].forEach((end) => void end.destroy()));
    }
    near.on('data', (bytes) => silent || far.write(bytes));
    far.on('data', (bytes) => silent || near.write(bytes));
  }).listen(0, '127.0.0.1');
  await onceWithin(server, 'listening');
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  cleanUp('the line to Redis', close);
  return {
    redis_url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    interrupt() {
      silent = true;
    },
    restore() {
      silent = false;
    },
    close,
  };
}
