import { clientAddress } from './connections/client-address.ts';
import type { Admission, RateLimiter } from './limit-rate/rate-limiter.ts';
import { rateLimited } from './limit-requests.ts';
import type { Refusal } from './reply/refusal.ts';

const perMinute = 60;
const what = `${perMinute} failed attempts a minute for each address`;

/** Bounds the failed attempts of one address to prove who it is. Attempts that succeed count nothing. */
export interface LimitFailures {
  /** Counts a failure. 429 if the address had too many before. */
  count(ip: string): Promise<Refusal | undefined>;
  /** 429 if the address had too many. */
  peek(ip: string): Promise<Refusal | undefined>;
}

export function limitFailures(limiter: RateLimiter, door: string): LimitFailures {
  const checksOf = (ip: string) => {
    const address = clientAddress(ip).replaceAll(':', '.');
    return [{ key: `address ${address}:${door}`, limit: perMinute, window_ms: 60_000 }];
  };
  const refusalOf = ({ admitted, ...standing }: Admission) =>
    admitted ? undefined : rateLimited({ ...standing, what });
  return {
    count: async (ip) => refusalOf(await limiter.admit(checksOf(ip))),
    peek: async (ip) => refusalOf(await limiter.peek(checksOf(ip))),
  };
}
