import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from './limits.ts';

test('the figures are those of the contract', () => {
  assert.deepEqual(limits.rate, {
    requests: { max: 600, interval_seconds: 60 },
    sends: { max: 50, interval_seconds: 1 },
    imports: { max: 10, interval_seconds: 60 },
    broadcasts: { max: 10, interval_seconds: 3_600 },
    analytics: { max: 60, interval_seconds: 60 },
  });
  assert.equal(limits.import_contacts, 1_000);
  assert.equal(limits.broadcast_recipients, 10_000);
  assert.equal(limits.idempotency_key_seconds, 86_400);
  assert.equal(limits.template_name_block_seconds, 2_592_000);
  assert.deepEqual(limits.media_bytes, {
    image: 5_242_880,
    video: 16_777_216,
    audio: 16_777_216,
    document: 104_857_600,
  });
});

test('the eight attempts of a webhook span 44 hours and 36 minutes', () => {
  const { retry_delays_seconds, disable_after_seconds, delivery_history_seconds } = limits.webhook;
  assert.deepEqual(retry_delays_seconds, [60, 300, 1_800, 7_200, 21_600, 43_200, 86_400]);
  assert.equal(
    retry_delays_seconds.reduce<number>((sum, delay) => sum + delay, 0),
    (44 * 60 + 36) * 60,
  );
  assert.equal(disable_after_seconds, 259_200);
  assert.equal(delivery_history_seconds, 2_592_000);
});
