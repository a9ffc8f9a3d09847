import { describeLimit, limitsOfAccepted, type Operation, type RateLimitName, rateLimits } from '@majlis/contract';
import type { FastifyReply } from 'fastify';
import type { Caller } from './authenticate.ts';
import type { Admission, Check, RateLimiter } from './limit-rate/rate-limiter.ts';
import { Refusal } from './reply/refusal.ts';

export interface LimitRequests {
  /** Counts a request of a workspace over all its keys, or refuses it with 429. Sets the three headers in both cases. */
  admit(caller: Caller, operation: Operation | undefined, reply: FastifyReply): Promise<Admission | undefined>;
  /** Frees the place of a refused request where its limit counts accepted ones: 10 new broadcasts an hour. */
  giveBack(admission: Admission, caller: Caller, operation: Operation | undefined, reply: FastifyReply): Promise<void>;
  /** Counts a request without a valid key against its address, which gives the headers their values (hazard H65). */
  countAddress(address: string, reply: FastifyReply): Promise<void>;
}

/** `enabled: false` lifts the limits but keeps the headers. */
export function createLimitRequests(limiter: RateLimiter, enabled: boolean): LimitRequests {
  return {
    async admit({ workspace_id }, operation, reply) {
      if (!enabled) {
        setHeaders(reply, unlimited);
        return undefined;
      }
      const checks = [check(workspace_id, 'requests')];
      if (operation?.limit) checks.push(check(workspace_id, operation.limit));
      const admission = await limiter.admit(checks);
      setHeaders(reply, admission);
      if (!admission.admitted) throw rateLimited({ ...admission, what: describeOwn(admission) });
      return admission;
    },
    async giveBack(admission, { workspace_id }, operation, reply) {
      if (!operation?.limit || !limitsOfAccepted.includes(operation.limit)) return;
      const checks = [check(workspace_id, operation.limit), check(workspace_id, 'requests')];
      setHeaders(reply, await limiter.giveBack(checks, admission));
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

function describeOwn({ key }: Admission): string {
  return `${describeLimit(key.slice(key.indexOf(':') + 1) as RateLimitName)} for each workspace`;
}

type Standing = Pick<Admission, 'limit' | 'remaining' | 'reset_seconds'>;

interface Exhausted extends Omit<Standing, 'remaining'> {
  /** The limit in words: `10 new broadcasts an hour for each workspace`. */
  what: string;
}

/** The 429 of an exhausted limit. All four headers describe it, and the last two name the same moment (hazard H62). */
export function rateLimited({ limit, reset_seconds, what }: Exhausted): Refusal {
  const headers = { ...headersOf({ limit, remaining: 0, reset_seconds }), 'Retry-After': String(reset_seconds) };
  return new Refusal('rate_limited', { detail: `The limit is reached: ${what}.`, headers });
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
