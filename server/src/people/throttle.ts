import type { Check, RateLimiter } from '../http/limit-rate/rate-limiter.ts';
import { rateLimited } from '../http/limit-requests.ts';
import { hashToken } from './token.ts';

const quarterHourMs = 15 * 60_000;

/**
 * Counts an attempt to guess: against the account from this address, the account from anywhere, and the address. The limit of
 * an account from anywhere is high, since a stranger could otherwise lock its owner out.
 */
export async function throttleAttempt(limiter: RateLimiter, address: string, account?: string): Promise<void> {
  await admit(limiter, check(sourceOf(address), 'attempts', 60));
  if (account === undefined) return;
  // A hash, because the address of a person must not stand in a store beside the database.
  const name = hashToken(account).toString('base64url');
  await admit(limiter, check(`account ${name} ${sourceOf(address)}`, 'attempts', 10));
  await admit(limiter, check(`account ${name}`, 'attempts', 200));
}

/** Counts the beginning of a sign-in in two steps: each one stores a challenge. The second step counts as the attempt. */
export async function throttleBeginning(limiter: RateLimiter, address: string): Promise<void> {
  await admit(limiter, check(sourceOf(address), 'beginnings', 60));
}

function sourceOf(address: string): string {
  return `address ${address.replaceAll(':', '.')}`;
}

function check(owner: string, name: string, limit: number): Check {
  return { key: `${owner}:${name}`, limit, window_ms: quarterHourMs };
}

async function admit(limiter: RateLimiter, limit: Check): Promise<void> {
  const admission = await limiter.admit([limit]);
  if (!admission.admitted) throw rateLimited({ ...admission, what: `${limit.limit} attempts in 15 minutes` });
}
