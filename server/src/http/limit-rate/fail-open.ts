import type { Admission, Check, RateLimiter } from './rate-limiter.ts';

const ask_again_after_ms = 1000;

/** The part of the log that the limiter uses. */
export interface Log {
  info(values: object, message: string): void;
  warn(values: object, message: string): void;
}

/**
 * Falls back to the limiter of the process while the shared one does not answer. An outage neither refuses nor fails
 * requests (hazard H64), and each process limits its own traffic. Requests do not wait during an outage: once a second,
 * one request checks the shared limiter in the background.
 */
export function failOpen(
  shared: RateLimiter,
  local: RateLimiter,
  log: Log,
  now = () => performance.now(),
): RateLimiter {
  let away = false;
  let ask_again_at = 0;
  /** What the limiter of the process wrote down for an admission of the shared one. */
  const twins = new WeakMap<Admission, Admission>();

  return {
    async admit(checks) {
      if (away) {
        askInPassing(checks);
        return local.admit(checks);
      }
      try {
        const admission = await shared.admit(checks);
        // The local limiter counts too, so that an outage does not begin with a fresh allowance.
        if (admission.admitted) twins.set(admission, await local.admit(checks));
        return admission;
      } catch (error) {
        lose(error);
        return local.admit(checks);
      }
    },
    async peek(checks) {
      if (away) return local.peek(checks);
      try {
        return await shared.peek(checks);
      } catch (error) {
        lose(error);
        return local.peek(checks);
      }
    },
    async giveBack(checks, admission) {
      const twin = twins.get(admission);
      const here = await local.giveBack(checks, twin ?? admission);
      // Without a twin, the process alone counted it.
      if (away || !twin) return here;
      try {
        return await shared.giveBack(checks, admission);
      } catch (error) {
        lose(error);
        return here;
      }
    },
    async close() {
      await Promise.all([shared.close(), local.close()]);
    },
  };

  function lose(error: unknown): void {
    if (away) return;
    away = true;
    ask_again_at = now() + ask_again_after_ms;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason }, 'Redis does not answer: rate limits are counted by each process for itself until it does');
  }

  function askInPassing(checks: Check[]): void {
    if (now() < ask_again_at) return;
    ask_again_at = now() + ask_again_after_ms;
    shared.peek(checks).then(
      () => {
        if (away) log.info({}, 'Redis answers again: rate limits are shared between processes');
        away = false;
      },
      () => undefined,
    );
  }
}
