import { backoffMs } from '../../jobs/backoff.ts';
import type { SendOutcome } from '../../platform/types.ts';

/** What follows from a call that the platform did not accept and certainly did not carry out. */
export type RetryDecision =
  | { type: 'fail' }
  /** Try again after `delay_ms`; the channel's other messages go on. */
  | { type: 'delay'; delay_ms: number }
  /** The whole channel waits `pause_ms`; its messages keep their order. */
  | { type: 'pause'; pause_ms: number };

type NotSent = Exclude<SendOutcome, { type: 'accepted' | 'unknown' }>;

// A message that cannot be handed over for a day has lost its point.
const giveUpAfterMs = 24 * 3_600_000;
// "Unknown error" and "something went wrong" are often the message's own fault: a few tries, then the reason stands.
const doubtfulCodes = new Set([1, 131_000]);
const doubtfulTries = 3;
const throughputPauseMs = 1_000;
/** A channel of which every call is refused is asked again after this time. */
export const faultPauseMs = 30_000;
// The platform's own advice for too many messages to one customer: 4^n seconds.
const mostPairWaits = 4;

/** How long a channel waits that was in trouble `pauses` times in a row. */
export function troublePauseMs(pauses: number): number {
  return Math.min(backoffMs(pauses), 60_000);
}

/** `failures`: of this message so far. `pauses`: how often in a row its channel had to wait. */
export function decideRetry(
  outcome: NotSent,
  { failures, pauses, age_ms }: { failures: number; pauses: number; age_ms: number },
): RetryDecision {
  if (outcome.type === 'refused' && outcome.retry === 'never') return { type: 'fail' };
  if (age_ms > giveUpAfterMs) return { type: 'fail' };
  if (outcome.type === 'refused' && outcome.retry === 'throughput') {
    return { type: 'pause', pause_ms: throughputPauseMs * (1 + Math.random() / 4) };
  }
  if (outcome.type === 'refused' && outcome.retry === 'pair') {
    return { type: 'delay', delay_ms: 4 ** Math.min(failures, mostPairWaits) * 1000 };
  }
  if (outcome.type === 'refused' && doubtfulCodes.has(outcome.error.code)) {
    return failures + 1 >= doubtfulTries ? { type: 'fail' } : { type: 'delay', delay_ms: backoffMs(failures) };
  }
  return { type: 'pause', pause_ms: troublePauseMs(pauses) };
}
