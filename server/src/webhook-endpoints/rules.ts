import { limits } from '@majlis/contract';

const { retry_delays_seconds, disable_after_seconds } = limits.webhook;
const longestGapMs = 48 * 3_600_000;

/** Any 2xx; a redirect is none. */
export function isDelivered(response_status: number | null | undefined): boolean {
  return response_status != null && response_status >= 200 && response_status < 300;
}

/**
 * When to try again after the attempt in this place of the schedule (1 is the first), which ended at `ended_ms`; undefined
 * after the last. `chance` from 0 to 1 spreads those that failed together, by a fiftieth of the delay and 2 s at most:
 * always later than the schedule says, never sooner.
 */
export function retryAt(tries: number, ended_ms: number, chance: number): Date | undefined {
  const delay_seconds = retry_delays_seconds[tries - 1];
  if (delay_seconds === undefined) return undefined;
  const spread_ms = Math.min(delay_seconds * 20, 2_000) * chance;
  return new Date(ended_ms + delay_seconds * 1000 + Math.ceil(spread_ms));
}

/** Consecutive failures of an endpoint: the first and the last; nulls where its last attempt was a success. */
export interface Streak {
  failing_since: Date | null;
  last_failure_at: Date | null;
}

export const noStreak: Streak = { failing_since: null, last_failure_at: null };

/**
 * The streak after one more attempt. A gap of more than 48 hours without attempts begins it anew: a receiver with little
 * traffic must not be disabled for two failures a week apart.
 */
export function continueStreak(streak: Streak, attempt: { at: Date; is_delivered: boolean }): Streak {
  const { failing_since, last_failure_at } = streak;
  if (attempt.is_delivered) return noStreak;
  const gap_ms = last_failure_at ? attempt.at.getTime() - last_failure_at.getTime() : 0;
  const isNew = !failing_since || gap_ms > longestGapMs;
  return { failing_since: isNew ? attempt.at : failing_since, last_failure_at: attempt.at };
}

/** Whether the endpoint is to be disabled: it has been failing for three days, up to an attempt that was made. */
export function isGivenUp({ failing_since, last_failure_at }: Streak): boolean {
  if (!failing_since || !last_failure_at) return false;
  return last_failure_at.getTime() - failing_since.getTime() >= disable_after_seconds * 1000;
}
