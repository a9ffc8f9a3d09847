import { ApiError, ConnectionError, type MajlisError } from './errors.ts';

/**
 * When a request may be made again. `always`: a repetition changes nothing more. `keyed`: its idempotency key makes all
 * attempts one. `refused`: a repetition would act twice, so only what has surely not acted is tried again.
 */
export type Repeats = 'always' | 'keyed' | 'refused';

const firstDelay_ms = 500;
const longestDelay_ms = 8_000;
/** A longer wait is the caller's decision. */
const longestRetryAfter_seconds = 60;

/** The wait before the next attempt. Undefined: the error is final. */
export function delayAfter(error: MajlisError, repeats: Repeats, attempt: number): number | undefined {
  if (!isWorthRepeating(error, repeats)) return undefined;
  const jitter = 0.5 + Math.random() / 2;
  const backoff_ms = Math.min(longestDelay_ms, firstDelay_ms * 2 ** attempt) * jitter;
  const asked = error instanceof ApiError ? error.retryAfter_seconds : undefined;
  if (asked === undefined) return backoff_ms;
  // All clients of a workspace get the same number. Without jitter they would return together.
  return asked > longestRetryAfter_seconds ? undefined : asked * 1000 + Math.random() * firstDelay_ms;
}

function isWorthRepeating(error: MajlisError, repeats: Repeats): boolean {
  if (error instanceof ConnectionError) return repeats !== 'refused' || !error.wasSent;
  if (!(error instanceof ApiError)) return false;
  // These two tell that nothing was done. No code of 409 allows a repetition: the same request meets the same conflict.
  if (error.status === 429 || error.status === 408) return true;
  return error.status >= 500 && repeats !== 'refused';
}

/** The error codes of runtimes for a connection that was never made. */
const unsentCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ConnectionRefused'];
unsentCodes.push('UND_ERR_CONNECT_TIMEOUT', 'FailedToOpenSocket');

/** Whether the request may have left, as far as the error of `fetch` tells. */
export function mayHaveLeft(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  return !unsentCodes.some((unsent) => unsent === code || unsent === cause?.code);
}

/** Waits, and ends at once when the signal does. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
