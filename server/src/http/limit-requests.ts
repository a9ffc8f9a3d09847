import { type Operation, rateLimits } from '@majlis/contract';
import type { FastifyReply } from 'fastify';
import type { Caller } from './authenticate.ts';
import type { Admission, Check, RateLimiter } from './limit-rate/rate-limiter.ts';
import { Refusal } from './reply/refusal.ts';

export interface LimitRequests {
  /** Counts a request of a workspace over all its keys, or refuses it with 429. Sets the three headers in both cases. */
  admit(caller: Caller, operation: Operation | undefined, reply: FastifyReply): Promise<void>;
  /** Counts a request without a valid key against its address, which gives the headers their values (hazard H65). */
  countAddress(address: string, reply: FastifyReply): Promise<void>;
}

/** `enabled: false` lifts the limits but keeps the headers. */
export function createLimitRequests(limiter: RateLimiter, enabled: boolean): LimitRequests {
  return {
    async admit({ workspace_id }, operation, reply) {
      if (!enabled) return setHeaders(reply, unlimited);
      const checks = [check(workspace_id, 'requests')];
      if (operation?.limit) checks.push(check(workspace_id, operation.limit));
      const admission = await limiter.admit(checks);
      setHeaders(reply, admission);
      if (!admission.admitted) throw rateLimited(admission);
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

type Standing = Pick<Admission, 'limit' | 'remaining' | 'reset_seconds'>;

/** The 429 of an exhausted limit. All four headers describe it, and the last two name the same moment (hazard H62). */
export function rateLimited({ limit, reset_seconds }: Omit<Standing, 'remaining'>): Refusal {
  const headers = { ...headersOf({ limit, remaining: 0, reset_seconds }), 'Retry-After': String(reset_seconds) };
  return new Refusal('rate_limited', { headers });
}

function setHeaders(reply: FastifyReply, standing: Standing): void {
  reply.headers(headersOf(standing));
}

function headersOf({ limit, remaining, reset_seconds }: Standing) {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(reset_seconds),
  };
}
