/** One limit of a request: at most `limit` admissions in any `window_ms`. */
export interface Check {
  /** `owner:limit`, such as `ws_01h…:requests`. All checks of one call have the same owner. */
  key: string;
  limit: number;
  window_ms: number;
}

/** The values of the three headers and `Retry-After`, for the check with the least left. */
export interface Admission {
  admitted: boolean;
  /** The key of that check. */
  key: string;
  /** The time of the admission in the limiter's log. */
  at: number;
  limit: number;
  remaining: number;
  /** Whole seconds until the window has more room: 0 if it is empty, at least 1 for a refused request (hazard H62). */
  reset_seconds: number;
}

export interface RateLimiter {
  /** Admits if every check has room, and counts against all. A refused request counts against none. */
  admit(checks: Check[]): Promise<Admission>;
  /** The state that a request would find. Counts nothing. */
  peek(checks: Check[]): Promise<Admission>;
  /** Takes an admission back from the log of the first check. Answers as `peek`. */
  giveBack(checks: Check[], admission: Admission): Promise<Admission>;
  close(): Promise<void>;
}

/** One check's window after the decision. `back_in_ms` is the time until it has more room, or any room if full. */
export interface WindowState {
  count: number;
  back_in_ms: number;
}

/** Chooses the check for the headers: the tightest one, or for a refusal the one with the longest wait. */
export function describeAdmission(
  checks: Check[],
  states: WindowState[],
  { admitted, at }: Pick<Admission, 'admitted' | 'at'>,
): Admission {
  let chosen: Admission | undefined;
  checks.forEach(({ key, limit }, index) => {
    const { count, back_in_ms } = states[index]!;
    const remaining = Math.max(0, limit - count);
    if (!admitted && remaining > 0) return;
    const reset_seconds = Math.ceil(back_in_ms / 1000);
    const tighter =
      !chosen ||
      remaining < chosen.remaining ||
      (remaining === chosen.remaining && reset_seconds > chosen.reset_seconds);
    if (tighter) chosen = { admitted, at, key, limit, remaining, reset_seconds };
  });
  if (!chosen) throw new Error('a request needs at least one limit to be checked against');
  if (admitted) return chosen;
  return { ...chosen, reset_seconds: Math.max(1, chosen.reset_seconds) };
}
