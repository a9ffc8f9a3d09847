import { areSendable } from './are-sendable.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type GetLimits, type GetOutcome, getGuarded } from './get-guarded.ts';
import { createLookup } from './lookup-addresses.ts';
import { OriginPools } from './origin-pools.ts';
import { readTarget } from './read-target.ts';
import { ADDRESS_REFUSED, type LookupAddresses } from './resolve-checked.ts';

export interface GuardedTarget {
  url: string;
  allow_private: boolean;
}

export type PostOutcome =
  | { type: 'answered'; status: number; duration_ms: number; body?: Buffer }
  /** The address may not be called. One uniform record: nothing in it tells one refused address from another. */
  | { type: 'blocked'; reason: string; duration_ms: number }
  /** No answer, or not a whole one. The reason names the step, and nothing of the target or of the request. */
  | { type: 'failed'; reason: string; duration_ms: number };

export interface PostLimits {
  /** From this call to the last byte of the answer, look-up and connection included. */
  timeout_ms: number;
  /** As they are on the wire: nothing is inflated. A longer answer is cut here and counts by its status. */
  max_answer_bytes: number;
  /** Whether what is answered is read; not of one that is cut. */
  keeps_answer?: boolean;
}

export interface GuardedPoster {
  /** Never throws, writes the request at most once, follows no redirect: that is an answer like any other. */
  post(target: GuardedTarget, headers: Record<string, string>, body: string, limits: PostLimits): Promise<PostOutcome>;
  /** Reads an address; redirects are followed, each checked like the first. Never throws. */
  get(target: GuardedTarget, limits: GetLimits): Promise<GetOutcome>;
  /** Waits for the calls under way. */
  close(): Promise<void>;
}

export interface GuardedPosterOptions {
  /** In place of the name servers of the system. */
  lookup?: LookupAddresses;
  /** A certificate authority to trust besides the usual ones: PEM. */
  ca?: string;
  /** All connections together. To be more than there are calls at once: a call that finds none to make way fails. */
  max_sockets?: number;
  /** How long after its look-up a connection may be used again. */
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

// Without the time it took: how long a look-up of an inner name takes is nobody's business.
const blocked: PostOutcome = { type: 'blocked', reason: 'an address that may not be called', duration_ms: 0 };

function readOutcome(result: Exchange, duration_ms: number): PostOutcome {
  if (result.type === 'answered') return { type: 'answered', status: result.status, duration_ms };
  if (result.reason === ADDRESS_REFUSED) return blocked;
  if (result.type === 'cut_short' && result.limit === 'length')
    return { type: 'answered', status: result.status, duration_ms };
  return { type: 'failed', reason: describeFailure(result), duration_ms };
}

/** Our words for the step that failed: a library's words may quote addresses. */
function describeFailure(result: Exclude<Exchange, { type: 'answered' }>): string {
  if (result.limit === 'time') return 'no whole answer in time';
  if (result.type === 'cut_short') return 'an answer that was cut short';
  if (result.type === 'no_answer') return 'no answer that could be read';
  if (/CERT|SSL|TLS|EPROTO|SIGNATURE|ISSUER/.test(result.reason)) return 'no secure connection';
  if (lookupCodes.has(result.reason)) return 'a name that could not be resolved';
  return 'no connection';
}

const lookupCodes = new Set(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT', 'EAI_AGAIN', 'EBADNAME']);
