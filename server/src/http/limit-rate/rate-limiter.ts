/** One limit that a request must stay within: at most `limit` admissions in any `window_ms`. */
export interface Check {
  /** `owner:limit`, for example `ws_01h…:requests`. All checks of one call have the same owner. */
  key: string;
  limit: number;
  window_ms: number;
}

/** What the three headers and `Retry-After` say, of the check with the least left. */
export interface Admission {
  admitted: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window gives something back; 0 when nothing was taken; at least 1 of a refused request. */
  reset_seconds: number;
}

export interface RateLimiter {
  /** Admits when every check has room, and then counts against all; a refused request counts against none. */
  admit(checks: Check[]): Promise<Admission>;
  /** What a request would find, without counting one. */
  peek(checks: Check[]): Promise<Admission>;
  close(): Promise<void>;
}

/** One check's window after the decision; `back_in_ms` is the time until it has more room than now, or any at all. */
export interface WindowState {
  count: number;
  back_in_ms: number;
}

/** Chooses which check the headers describe: the tightest one, or of a refusal the one that makes it wait longest. */
export function describeAdmission(checks: Check[], states: WindowState[], admitted: boolean): Admission {
  let chosen: Admission | undefined;
  checks.forEach(({ limit }, index) => {
    const { count, back_in_ms } = states[index]!;
    const remaining = Math.max(0, limit - count);
    if (!admitted && remaining > 0) return;
    const reset_seconds = Math.ceil(back_in_ms / 1000);
    const tighter =
      !chosen ||
      remaining < chosen.remaining ||
      (remaining === chosen.remaining && reset_seconds > chosen.reset_seconds);
    if (tighter) chosen = { admitted, limit, remaining, reset_seconds };
  });
  if (!chosen) throw new Error('a request needs at least one limit to be checked against');
  if (admitted) return chosen;
  return { ...chosen, reset_seconds: Math.max(1, chosen.reset_seconds) };
}
