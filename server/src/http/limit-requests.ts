import { type Operation, rateLimits } from '@majlis/contract';
import type { FastifyReply } from 'fastify';
import type { Caller } from './authenticate.ts';
import type { Admission, Check, RateLimiter } from './limit-rate/rate-limiter.ts';
import { Refusal } from './refusal.ts';

export interface LimitRequests {
  /** Counts a request of a workspace, over all its keys, or refuses it with 429. Sets the three headers either way. */
  admit(caller: Caller, operation: Operation | undefined, reply: FastifyReply): Promise<void>;
  /** Counts a request without a valid key against its address, so that the headers say something true. */
  countAddress(address: string, reply: FastifyReply): Promise<void>;
}

/** `enabled: false` lifts the limits; the headers stay. */
export function createLimitRequests(limiter: RateLimiter, enabled: boolean): LimitRequests {
  return {
    async admit({ workspace_id }, operation, reply) {
      if (!enabled) return setHeaders(reply, unlimited);
      const checks = [check(workspace_id, 'requests')];
      if (operation?.limit) checks.push(check(workspace_id, operation.limit));
      const admission = await limiter.admit(checks);
      setHeaders(reply, admission);
      if (!admission.admitted) {
        throw new Refusal('rate_limited', { headers: { 'Retry-After': String(admission.retry_after_seconds) } });
      }
    },
    async countAddress(address, reply) {
      setHeaders(
        reply,
        enabled ? await limiter.admit([check(`address ${address.replaceAll(':', '.')}`, 'requests')]) : unlimited,
      );
    },
  };
}

const unlimited = { limit: rateLimits.requests.max, remaining: rateLimits.requests.max, reset_seconds: 0 };

function check(whose: string, name: keyof typeof rateLimits): Check {
  const { max, interval_seconds } = rateLimits[name];
  return { key: `${whose}:${name}`, limit: max, window_ms: interval_seconds * 1000 };
}

function setHeaders(
  reply: FastifyReply,
  { limit, remaining, reset_seconds }: Pick<Admission, 'limit' | 'remaining' | 'reset_seconds'>,
): void {
  reply
    .header('RateLimit-Limit', limit)
    .header('RateLimit-Remaining', remaining)
    .header('RateLimit-Reset', reset_seconds);
}
