import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lookBack } from './look-back.ts';

const beginning = new Date(0);
const oldest = new Date('2026-11-20T10:00:00.000Z');
const shortlyBefore = new Date(oldest.getTime() - 100);

it('claims look at all there is; where that takes long, for a quarter of the time, and else from what was the oldest', async (t) => {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  const claimFrom = lookBack();
  const sinceWhen: Date[] = [];
  const claim = (took_ms: number, seen?: Date) =>
    claimFrom(async (since) => {
      sinceWhen.push(since);
      now += took_ms;
      return { jobs: [], oldest: seen };
    });

  for (const took_ms of [1, 20, 100]) await claim(took_ms, oldest);
  assert.deepEqual(sinceWhen.splice(0), [beginning, beginning, beginning]);
  // Until three times as long has passed; what nothing was seen of changes nothing.
  for (const took_ms of [150, 149, 1]) await claim(took_ms);
  assert.deepEqual(sinceWhen.splice(0), [shortlyBefore, shortlyBefore, shortlyBefore]);

  const failed = claimFrom(async (since) => {
    sinceWhen.push(since);
    now += 5_000;
    throw new Error('canceling statement due to statement timeout');
  });
  await assert.rejects(failed, /timeout/);
  await claim(1, new Date(oldest.getTime() + 5_000));
  await claim(1);
  assert.deepEqual(sinceWhen, [beginning, shortlyBefore, new Date(oldest.getTime() + 4_900)]);
});
