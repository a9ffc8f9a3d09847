import { areSendable } from './are-sendable.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type GetLimits, type GetOutcome, getGuarded } from './get-guarded.ts';
import { createLookup } from './lookup-addresses.ts';
import { OriginPools } from './origin-pools.ts';
import { readTarget } from './read-target.ts';
import { addressRefused, type LookupAddresses } from './resolve-checked.ts';

export interface GuardedTarget {
  url: string;
  allow_private: boolean;
}

export type PostOutcome =
  | { type: 'answered'; status: number; duration_ms: number; body?: Buffer }
  /** The address is not allowed. The record is uniform, so refused addresses cannot be told apart (hazard H41). */
  | { type: 'blocked'; reason: string; duration_ms: number }
  /** No answer, or a partial one. The reason names the step, but neither the target nor the request. */
  | { type: 'failed'; reason: string; duration_ms: number };

export interface PostLimits {
  /** From this call to the last byte of the answer, including look-up and connection. */
  timeout_ms: number;
  /** The bound in bytes on the wire; nothing is decompressed. A longer answer is cut, and its status counts. */
  max_answer_bytes: number;
  /** Whether the body of the answer is kept. A cut body is not. */
  keeps_answer?: boolean;
}

export interface GuardedPoster {
  /** Writes the request at most once and never throws. A redirect is an answer and is not followed. */
  post(target: GuardedTarget, headers: Record<string, string>, body: string, limits: PostLimits): Promise<PostOutcome>;
  /** Reads a URL and follows redirects, each checked like the first URL. Never throws. */
  get(target: GuardedTarget, limits: GetLimits): Promise<GetOutcome>;
  /** Waits for the calls under way. */
  close(): Promise<void>;
}

export interface GuardedPosterOptions {
  /** Replaces the system's name servers. */
  lookup?: LookupAddresses;
  /** An additional certificate authority, as PEM. */
  ca?: string;
  /** The bound of all connections. It must exceed the concurrent calls, because a call without a free socket fails. */
  max_sockets?: number;
  /** The time after its look-up during which a connection may be reused. */
  max_age_ms?: number;
}

export function createGuardedPoster(options: GuardedPosterOptions = {}): GuardedPoster {
  const pools = new OriginPools({ lookup: createLookup(), max_sockets: 1_024, max_age_ms: 30_000, ...options });
  return {
    async post({ url, allow_private }, headers, body, limits) {
      const started = performance.now();
      const reading = readTarget(url, { allow_private });
      if (!reading.ok) return blocked;
      if (!areSendable(headers)) return { type: 'failed', reason: 'a header that cannot be sent', duration_ms: 0 };
      const { origin, path } = reading.target;
      const result = await pools.use(origin, allow_private, (dispatcher) =>
        exchange(dispatcher, { method: 'POST', path, headers, body }, limits),
      );
      const outcome = readOutcome(result, Math.round(performance.now() - started));
      const isKept = limits.keeps_answer && outcome.type === 'answered' && result.type === 'answered';
      return isKept ? { ...outcome, body: result.body } : outcome;
    },
    get: (target, limits) => getGuarded(pools, target, limits),
    close: () => pools.close(),
  };
}

// The duration is hidden: the time of a look-up would reveal internal names (hazard H41).
const blocked: PostOutcome = { type: 'blocked', reason: 'an address that may not be called', duration_ms: 0 };

function readOutcome(result: Exchange, duration_ms: number): PostOutcome {
  if (result.type === 'answered') return { type: 'answered', status: result.status, duration_ms };
  if (result.reason === addressRefused) return blocked;
  if (result.type === 'cut_short' && result.limit === 'length')
    return { type: 'answered', status: result.status, duration_ms };
  return { type: 'failed', reason: describeFailure(result), duration_ms };
}

/** Describes the failed step in our own words: a library's message may quote addresses. */
function describeFailure(result: Exclude<Exchange, { type: 'answered' }>): string {
  if (result.limit === 'time') return 'no whole answer in time';
  if (result.type === 'cut_short') return 'an answer that was cut short';
  if (result.type === 'no_answer') return 'no answer that could be read';
  if (/CERT|SSL|TLS|EPROTO|SIGNATURE|ISSUER/.test(result.reason)) return 'no secure connection';
  if (lookupCodes.has(result.reason)) return 'a name that could not be resolved';
  return 'no connection';
}

const lookupCodes = new Set(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT', 'EAI_AGAIN', 'EBADNAME']);
