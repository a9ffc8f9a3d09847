import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { inMemory } from './in-memory.ts';
import type { Check } from './rate-limiter.ts';

const minute: Check = { key: 'ws_1:requests', limit: 600, window_ms: 60_000 };
const second: Check = { key: 'ws_1:sends', limit: 50, window_ms: 1000 };

/** Bursts with pauses: windows fill, run empty and fill again. */
const gap = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 20 }) }, fc.integer({ min: 0, max: 2000 }));

describe('the limiter of one process', () => {
  it('admits exactly when no interval of any limit is full, and counts a refused request against none', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(gap, fc.boolean()), { size: 'max', maxLength: 200 }), async (arrivals) => {
        let time = 1_000_000;
        const limiter = inMemory(() => time);
        const checks = [
          { key: 'ws_1:requests', limit: 20, window_ms: 3000 },
          { key: 'ws_1:sends', limit: 7, window_ms: 500 },
        ];
        const admitted: number[][] = [[], []];
        for (const [gap, is_send] of arrivals) {
          time += gap;
          const asked = is_send ? checks : checks.slice(0, 1);
          const inside = asked.map((check, index) => admitted[index]!.filter((at) => at > time - check.window_ms));
          const room = asked.every((check, index) => inside[index]!.length < check.limit);
          const peeked = await limiter.peek(asked);
          const admission = await limiter.admit(asked);
          assert.equal(admission.admitted, room);
          assert.equal(peeked.admitted, room);
          const left = asked.map((check, index) => check.limit - inside[index]!.length - (room ? 1 : 0));
          assert.equal(admission.remaining, Math.min(...left));
          if (room) asked.forEach((_, index) => void admitted[index]!.push(time));
        }
        for (const [index, check] of checks.entries()) assertNoIntervalIsOverfull(admitted[index]!, check);
      }),
    ));

  it('gives back after a window at the latest, whatever the fractions of the time round to', async () => {
    // 48440.052148920535 + 60000 - 48440.052148920535 is 60000.00000000001: a second more, rounded up.
    const limiter = inMemory(() => 48440.052148920535);
    assert.equal((await limiter.admit([minute])).reset_seconds, 60);
  });

  it('tells who is refused to wait for whole seconds, one at least, and long enough', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 30, maxLength: 60 }), async (gaps) => {
        let time = 0;
        const limiter = inMemory(() => time);
        const checks = [
          { key: 'ws_1:requests', limit: 12, window_ms: 3000 },
          { key: 'ws_1:sends', limit: 5, window_ms: 1000 },
        ];
        for (const gap of gaps) {
          time += gap;
          const { admitted, reset_seconds, remaining } = await limiter.admit(checks);
          if (admitted) continue;
          assert.ok(Number.isInteger(reset_seconds) && reset_seconds >= 1);
          assert.equal(remaining, 0);
          time += 1000 * reset_seconds;
          assert.ok((await limiter.admit(checks)).admitted, 'refused after the wait');
        }
      }),
    ));

  it('admits the whole limit at once, then nothing until the first of it has left the window', async () => {
    let time = 0;
    const limiter = inMemory(() => time);
    const admit = async () => (await limiter.admit([minute])).admitted;
    for (let i = 0; i < 600; i++) assert.ok(await admit());
    time = 59_999;
    assert.equal(await admit(), false);
    time = 60_000;
    assert.ok(await admit());
  });

  it('describes the check with the least left; of a refusal, the one that makes it wait longest', async () => {
    let time = 0;
    const limiter = inMemory(() => time);
    assert.deepEqual(await limiter.peek([minute]), {
      ...{ admitted: true, at: 0, key: minute.key },
      ...{ limit: 600, remaining: 600, reset_seconds: 0 },
    });
    assert.deepEqual(await limiter.admit([minute, second]), {
      ...{ admitted: true, at: 0, key: second.key },
      limit: 50,
      remaining: 49,
      reset_seconds: 1,
    });
    for (let i = 1; i < 600; i++) {
      time += 20;
      await limiter.admit([minute, second]);
    }
    assert.deepEqual(await limiter.admit([minute, second]), {
      ...{ admitted: false, at: time, key: minute.key },
      limit: 600,
      remaining: 0,
      reset_seconds: 49,
    });
  });

  it('gives back the very admission that is not to count, so that the others leave the window at their time', async () => {
    let time = 0;
    const limiter = inMemory(() => time);
    const two = { ...second, limit: 2 };
    const first = await limiter.admit([two]);
    time = 900;
    await limiter.admit([two]);
    assert.equal((await limiter.giveBack([two], first)).remaining, 1);
    time = 1_000;
    assert.equal((await limiter.peek([two])).remaining, 1);
    assert.equal((await limiter.giveBack([two], first)).remaining, 1);
  });

  it('keeps workspaces apart', async () => {
    const limiter = inMemory(() => 0);
    const admit = async (key: string) => (await limiter.admit([{ key, limit: 1, window_ms: 1000 }])).admitted;
    assert.deepEqual([await admit('ws_1:x'), await admit('ws_1:x'), await admit('ws_2:x')], [true, false, true]);
  });

  it('follows a limit that is lowered while its window is in use', async () => {
    let time = 0;
    const limiter = inMemory(() => time);
    for (; time < 50_000; time += 10_000) await limiter.admit([{ ...minute, limit: 5 }]);
    const lowered = await limiter.admit([{ ...minute, limit: 2 }]);
    assert.deepEqual([lowered.admitted, lowered.remaining, lowered.reset_seconds], [false, 0, 40]);
    time += 40_000;
    assert.equal((await limiter.admit([{ ...minute, limit: 2 }])).admitted, true);
  });
});

function assertNoIntervalIsOverfull(times: number[], { limit, window_ms }: Check): void {
  times.forEach((start, index) => {
    const past = times[index + limit];
    assert.ok(past === undefined || past - start >= window_ms, `${limit + 1} admissions within ${window_ms} ms`);
  });
}
