import { limits } from '@majlis/contract';

const { retry_delays_seconds, disable_after_seconds } = limits.webhook;
const longestGapMs = 48 * 3_600_000;

/** Any 2xx; a redirect is a failure. */
export function isDelivered(response_status: number | null | undefined): boolean {
  return response_status != null && response_status >= 200 && response_status < 300;
}

/**
 * When to retry after attempt number `tries` (from 1) of the schedule, which ended at `ended_ms`; undefined after the last.
 * `chance` (0 to 1) spreads attempts that failed together by up to 2 % of the delay, 2 s at most. A retry is never earlier
 * than the schedule.
 */
export function retryAt(tries: number, ended_ms: number, chance: number): Date | undefined {
  const delay_seconds = retry_delays_seconds[tries - 1];
  if (delay_seconds === undefined) return undefined;
  const spread_ms = Math.min(delay_seconds * 20, 2_000) * chance;
  return new Date(ended_ms + delay_seconds * 1000 + Math.ceil(spread_ms));
}

/** The first and last of an endpoint's consecutive failures; null after a success. */
export interface Streak {
  failing_since: Date | null;
  last_failure_at: Date | null;
}

export const noStreak: Streak = { failing_since: null, last_failure_at: null };

/**
 * The streak after one more attempt. After a gap of more than 48 hours the streak restarts: two failures a week apart must not
 * disable a receiver with little traffic.
 */
export function continueStreak(streak: Streak, attempt: { at: Date; is_delivered: boolean }): Streak {
  const { failing_since, last_failure_at } = streak;
  if (attempt.is_delivered) return noStreak;
  const gap_ms = last_failure_at ? attempt.at.getTime() - last_failure_at.getTime() : 0;
  const isNew = !failing_since || gap_ms > longestGapMs;
  return { failing_since: isNew ? attempt.at : failing_since, last_failure_at: attempt.at };
}

/** Whether the failures span three days, so that the endpoint is to be disabled. */
export function isGivenUp({ failing_since, last_failure_at }: Streak): boolean {
  if (!failing_since || !last_failure_at) return false;
  return last_failure_at.getTime() - failing_since.getTime() >= disable_after_seconds * 1000;
}
