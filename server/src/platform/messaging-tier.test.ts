import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessagingTier } from './messaging-tier.ts';

for (const [given, messaging_tier] of [
  ['TIER_50', 50],
  ['TIER_250', 250],
  ['TIER_1K', 1000],
  ['TIER_2K', 2000],
  ['TIER_100K', 100_000],
  [2000, 2000],
  ['2000', 2000],
] as const) {
  test(`reads ${JSON.stringify(given)} as ${messaging_tier}`, () => {
    assert.deepEqual(readMessagingTier(given), { messaging_tier, unlimited: false });
  });
}

test('reads no limit, however it is written', () => {
  for (const given of ['TIER_UNLIMITED', 'tier_unlimited', -1, '-1'])
    assert.deepEqual(readMessagingTier(given), { messaging_tier: null, unlimited: true });
});

test('reads nothing out of anything else', () => {
  for (const given of [undefined, null, '', 'TIER_', 1.5, -2, {}, [2000], { toString: 1 }])
    assert.equal(readMessagingTier(given), undefined);
});
