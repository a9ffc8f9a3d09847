import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { onceWithin } from '@majlis/testing/once-within';
import { createRateLimiter } from './create-rate-limiter.ts';

const checks = [{ key: 'ws_1:requests', limit: 2, window_ms: 60_000 }];

describe('createRateLimiter', () => {
  it('counts inside the process without a Redis', async () => {
    const limiter = await createRateLimiter({ log: { info() {}, warn() {} } });
    const admitted = [];
    for (let i = 0; i < 3; i++) admitted.push((await limiter.admit(checks)).admitted);
    assert.deepEqual(admitted, [true, true, false]);
  });

  it('goes on, with one warning and the limits of the process, when nothing listens at the Redis address', async () => {
    const warnings: string[] = [];
    const redis_url = `redis://127.0.0.1:${await closedPort()}`;
    const limiter = await createRateLimiter({
      redis_url,
      log: { info() {}, warn: (_, message) => void warnings.push(message) },
    });
    const admissions = await Promise.all([1, 2, 3].map(() => limiter.admit(checks)));
    assert.deepEqual(
      admissions.map((admission) => admission.admitted),
      [true, true, false],
    );
    assert.equal(warnings.length, 1);
    await limiter.close();
  });
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await onceWithin(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await onceWithin(server, 'close');
  return port;
}
