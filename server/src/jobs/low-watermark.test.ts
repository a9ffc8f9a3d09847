import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lowWatermark } from './low-watermark.ts';

const beginning = new Date(0);
const oldest = new Date('2026-11-20T10:00:00.000Z');
const shortlyBefore = new Date(oldest.getTime() - 100);

it('claims begin at the beginning; after one that took long, for three times as long at the oldest ready job', async (t) => {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  const fromWatermark = lowWatermark(async () => oldest);
  const sinceWhen: Date[] = [];
  const claim = (took_ms: number, error?: Error) =>
    fromWatermark(async (since) => {
      sinceWhen.push(since);
      now += took_ms;
      if (error) throw error;
    });

  for (const took_ms of [1, 20, 100]) await claim(took_ms);
  assert.deepEqual(sinceWhen.splice(0), [beginning, beginning, beginning]);
  for (const took_ms of [150, 149, 1]) await claim(took_ms);
  assert.deepEqual(sinceWhen.splice(0), [shortlyBefore, shortlyBefore, shortlyBefore]);

  await assert.rejects(claim(5_000, new Error('canceling statement due to statement timeout')), /timeout/);
  await claim(1);
  assert.deepEqual(sinceWhen, [beginning, shortlyBefore]);
});
