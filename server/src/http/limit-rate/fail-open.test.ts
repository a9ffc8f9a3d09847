import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { failOpen } from './fail-open.ts';
import { inMemory } from './in-memory.ts';
import type { Check, RateLimiter } from './rate-limiter.ts';

const checks: Check[] = [{ key: 'ws_1:requests', limit: 3, window_ms: 60_000 }];

describe('a shared limiter that goes away', () => {
  it('is replaced by the limiter of the process, which knows what this process has used', async () => {
    const { limiter, outage } = build();
    assert.equal((await limiter.admit(checks)).remaining, 2);
    outage.on = true;
    assert.equal((await limiter.admit(checks)).remaining, 1);
    assert.equal((await limiter.peek(checks)).remaining, 1);
    assert.equal((await limiter.admit(checks)).remaining, 0);
    assert.equal((await limiter.admit(checks)).admitted, false);
  });

  it('is warned of once per outage, and asked once a second without making a request wait', async () => {
    const { limiter, outage, clock, said } = build();
    outage.on = true;
    await Promise.all([limiter.admit(checks), limiter.admit(checks)]);
    for (let i = 0; i < 5; i++) await limiter.admit(checks);
    assert.deepEqual([outage.asked, said], [2, ['warn']]);
    clock.time += 1000;
    outage.on = false;
    assert.equal((await limiter.admit(checks)).admitted, false, 'still decided by the process');
    await endOfTurn();
    assert.deepEqual(said, ['warn', 'info']);
    assert.equal((await limiter.admit(checks)).admitted, true, 'decided by the shared limiter again');
    outage.on = true;
    await limiter.peek(checks);
    await limiter.peek(checks);
    assert.deepEqual(said, ['warn', 'info', 'warn']);
  });
});

function build() {
  const clock = { time: 0 };
  const outage = { on: false, asked: 0 };
  const said: string[] = [];
  const memory = inMemory(() => clock.time);
  const reach = (ask: RateLimiter['admit']): RateLimiter['admit'] => {
    return async (asked) => {
      outage.asked++;
      if (outage.on) throw new Error('connection refused');
      return ask(asked);
    };
  };
  const shared = { ...memory, admit: reach(memory.admit), peek: reach(memory.peek) };
  const log = { info: () => void said.push('info'), warn: () => void said.push('warn') };
  const limiter = failOpen(
    shared,
    inMemory(() => clock.time),
    log,
    () => clock.time,
  );
  return { limiter, outage, clock, said };
}
