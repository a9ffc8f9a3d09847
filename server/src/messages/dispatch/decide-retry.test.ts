import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RetryClass, SendOutcome } from '../../platform/send-outcome.ts';
import { channelPauseMs, decideRetry } from './decide-retry.ts';

type Refused = Extract<SendOutcome, { type: 'refused' }>;

const refused = (code: number, retry: RetryClass): Refused => ({ type: 'refused', error: { code }, retry });
const unreachable: SendOutcome = { type: 'unreachable', reason: 'ECONNREFUSED' };
const none = { doubtful: 0, pair_limit: 0 };
const fresh = { refusals: none, pauses: 0, age_ms: 0 };
const day = 24 * 3_600_000;

describe('decideRetry', () => {
  it('gives up at once where trying again is useless', () => {
    assert.deepEqual(decideRetry(refused(131_047, 'never'), fresh), { type: 'fail' });
  });

  it('gives up on everything after a day, not before', () => {
    for (const outcome of [unreachable, refused(130_429, 'throughput'), refused(131_056, 'pair')]) {
      assert.notEqual(decideRetry(outcome, { ...fresh, age_ms: day }).type, 'fail');
      assert.equal(decideRetry(outcome, { ...fresh, age_ms: day + 1 }).type, 'fail');
    }
  });

  it('pauses the channel for a second or a little more when its throughput is reached, however often', () => {
    const decision = decideRetry(refused(130_429, 'throughput'), { ...fresh, pauses: 9 });
    assert.ok(decision.type === 'pause' && decision.pause_ms >= 1_000 && decision.pause_ms <= 1_250);
  });

  it('delays the customer’s messages alone, by 4^n seconds, when one of them had too many', () => {
    const delays = [0, 1, 2, 3, 4, 5, 50].map((pair_limit) =>
      decideRetry(refused(131_056, 'pair'), { ...fresh, refusals: { doubtful: 2, pair_limit } }),
    );
    const seconds = [1, 4, 16, 64, 256, 256, 256];
    assert.deepEqual(
      delays,
      seconds.map((one) => ({ type: 'delay', delay_ms: one * 1000 })),
    );
  });

  it('tries an unknown error three times, and holds back nothing else for it', () => {
    for (const code of [1, 131_000]) {
      const types = [0, 1, 2].map((doubtful) => {
        const refusals = { doubtful, pair_limit: 50 };
        return decideRetry(refused(code, 'transient'), { ...fresh, refusals }).type;
      });
      assert.deepEqual(types, ['delay', 'delay', 'fail']);
    }
  });

  it('pauses the channel longer and longer while it is in trouble, a minute at most', () => {
    for (const outcome of [unreachable, refused(131_016, 'transient')]) {
      const decision = decideRetry(outcome, { ...fresh, pauses: 2 });
      assert.ok(decision.type === 'pause' && decision.pause_ms >= 4_000 && decision.pause_ms <= 4_800);
    }
    assert.ok([0, 1, 5].every((pauses) => channelPauseMs(pauses) >= 2 ** pauses * 1_000));
    assert.deepEqual([6, 10, 1_000].map(channelPauseMs), [60_000, 60_000, 60_000]);
  });
});
