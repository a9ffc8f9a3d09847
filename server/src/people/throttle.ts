import { clientAddress, siteOf } from '../http/connections/client-address.ts';
import type { Check, RateLimiter } from '../http/limit-rate/rate-limiter.ts';
import { rateLimited } from '../http/limit-requests.ts';
import { hashToken } from './token.ts';

const minuteMs = 60_000;
const quarterHour = { ms: 15 * minuteMs, name: '15 minutes' };
const day = { ms: 24 * 60 * minuteMs, name: 'a day' };

/**
 * Counts an attempt to guess: against the account from this address, the account from anywhere, and the address. The limit of
 * an account from anywhere is high, since a stranger could otherwise lock out its owner at a new device.
 */
export async function throttleAttempt(limiter: RateLimiter, address: string, account?: string): Promise<void> {
  await throttleSource(limiter, address, 'attempts');
  if (account === undefined) return;
  const name = nameOf(account);
  await admit(limiter, `account ${name} ${sourceOf(address)}`, 'attempts', 10);
  await admit(limiter, `account ${name}`, 'attempts', 200);
}

/**
 * Counts a code of an app or a recovery code. Six digits need a low limit from anywhere, and a day's limit too. A stranger
 * reaches it only with the password.
 */
export async function throttleCode(limiter: RateLimiter, address: string, person_id: string): Promise<void> {
  await throttleSource(limiter, address, 'attempts');
  const name = nameOf(`code ${person_id}`);
  await admit(limiter, `account ${name} ${sourceOf(address)}`, 'attempts', 10);
  await admit(limiter, `account ${name}`, 'attempts', 20);
  await admit(limiter, `account ${name}`, 'attempts-a-day', 100, day);
}

/**
 * Counts an attempt from a session or a device that the account knows, apart from those of strangers. All such devices share a
 * limit too, because whoever had the password once may have several.
 */
export async function throttleKnown(limiter: RateLimiter, id: string, account: string): Promise<void> {
  await admit(limiter, `known ${id}`, 'attempts', 10);
  await admit(limiter, `known account ${nameOf(account)}`, 'attempts', 100);
}

/** Counts the beginning of a sign-in in two steps: each one stores a challenge. The second step counts as the attempt. */
export async function throttleBeginning(limiter: RateLimiter, address: string): Promise<void> {
  await throttleSource(limiter, address, 'beginnings');
}

/** A client with a whole IPv6 site has many networks, so the site has a limit as well. */
async function throttleSource(limiter: RateLimiter, address: string, what: string): Promise<void> {
  await admit(limiter, sourceOf(address), what, 60);
  const site = siteOf(address);
  if (site) await admit(limiter, `site ${site.replaceAll(':', '.')}`, what, 240);
}

function sourceOf(address: string): string {
  return `address ${clientAddress(address).replaceAll(':', '.')}`;
}

/** A hash, because the address of a person must not stand in a store beside the database. */
function nameOf(account: string): string {
  return hashToken(account).toString('base64url');
}

async function admit(
  limiter: RateLimiter,
  owner: string,
  name: string,
  limit: number,
  window = quarterHour,
): Promise<void> {
  const check: Check = { key: `${owner}:${name}`, limit, window_ms: window.ms };
  const admission = await limiter.admit([check]);
  if (!admission.admitted) throw rateLimited({ ...admission, what: `${limit} attempts in ${window.name}` });
}
