import { backoffMs } from '../../jobs/backoff.ts';
import type { SendOutcome } from '../../platform/send-outcome.ts';
import type { Refusals } from '../jobs.ts';

/** The decision after a call that the platform certainly did not carry out. */
export type RetryDecision =
  | { type: 'fail' }
  /** Try again after `delay_ms`; the channel's other messages go on. */
  | { type: 'delay'; delay_ms: number }
  /** The whole channel waits `pause_ms`; its messages keep their order. */
  | { type: 'pause'; pause_ms: number };

type NotSent = Exclude<SendOutcome, { type: 'accepted' | 'unknown' }>;

// A message that is a day late is of no use.
const giveUpAfterMs = 24 * 3_600_000;
// "Unknown error" and "something went wrong" are often the fault of the message: after a few tries it fails.
const doubtfulCodes = new Set([1, 131_000]);
const doubtfulTries = 3;
const throughputPauseMs = 1_000;
/** The pause of a channel on which every call is refused. */
export const faultPauseMs = 30_000;
// The platform advises 4^n seconds after too many messages to one customer.
const mostPairWaits = 4;

/** The pause of a channel after `pauses` earlier ones in a row. */
export function channelPauseMs(pauses: number): number {
  return Math.min(backoffMs(pauses), 60_000);
}

/**
 * `refusals`: those of this message so far. `pauses`: the pauses of its channel in a row. A limit of the platform says nothing
 * about the message, so it uses up no try of it.
 */
export function decideRetry(
  outcome: NotSent,
  { refusals, pauses, age_ms }: { refusals: Refusals; pauses: number; age_ms: number },
): RetryDecision {
  if (outcome.type === 'refused' && outcome.retry === 'never') return { type: 'fail' };
  if (age_ms > giveUpAfterMs) return { type: 'fail' };
  if (outcome.type === 'refused' && outcome.retry === 'throughput') {
    return { type: 'pause', pause_ms: throughputPauseMs * (1 + Math.random() / 4) };
  }
  if (outcome.type === 'refused' && outcome.retry === 'pair') {
    return { type: 'delay', delay_ms: 4 ** Math.min(refusals.pair_limit, mostPairWaits) * 1000 };
  }
  if (isDoubtful(outcome)) {
    const { doubtful } = refusals;
    return doubtful + 1 >= doubtfulTries ? { type: 'fail' } : { type: 'delay', delay_ms: backoffMs(doubtful) };
  }
  return { type: 'pause', pause_ms: channelPauseMs(pauses) };
}

/** The refusals of a message with this one. */
export function countRefusal({ doubtful, pair_limit }: Refusals, outcome: NotSent): Refusals {
  const isPairLimit = outcome.type === 'refused' && outcome.retry === 'pair';
  return { doubtful: doubtful + Number(isDoubtful(outcome)), pair_limit: pair_limit + Number(isPairLimit) };
}

function isDoubtful(outcome: NotSent): boolean {
  return outcome.type === 'refused' && doubtfulCodes.has(outcome.error.code);
}
