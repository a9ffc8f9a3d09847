import type { Dispatcher } from 'undici';
import type { OriginPools } from './origin-pools.ts';
import { readTarget } from './read-target.ts';
import { addressRefused } from './resolve-checked.ts';

export interface GetLimits {
  /** From this call to the last byte of the answer, including redirects. */
  timeout_ms: number;
  max_answer_bytes: number;
}

export type GetOutcome =
  | { type: 'answered'; status: number; content_type: string | undefined; body: Buffer }
  | { type: 'blocked'; reason: string }
  /** An answer that a retry would not change. */
  | { type: 'unusable'; reason: string }
  | { type: 'failed'; reason: string };

const mostRedirects = 5;

/**
 * Reads a URL that a customer set. Each redirect is checked like the first URL, so no page can lead to a private address
 * (hazard H40). Never throws.
 */
export async function getGuarded(
  pools: OriginPools,
  { url, allow_private }: { url: string; allow_private: boolean },
  limits: GetLimits,
): Promise<GetOutcome> {
  const signal = AbortSignal.timeout(limits.timeout_ms);
  let address = url;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const reading = readTarget(address, { allow_private });
    if (!reading.ok) return blocked;
    const { origin, path } = reading.target;
    const step = await pools
      .use(origin, allow_private, (dispatcher) =>
        getOnce(dispatcher, { origin, path }, limits.max_answer_bytes, signal),
      )
      .catch((error: unknown) => readFailure(error, signal));
    if (step.type !== 'redirect') return step;
    const next = URL.parse(step.location, address);
    if (!next) return { type: 'unusable', reason: 'a redirect that leads nowhere' };
    next.hash = '';
    address = next.href;
  }
  return { type: 'unusable', reason: 'too many redirects' };
}

type Step = GetOutcome | { type: 'redirect'; location: string };

async function getOnce(
  dispatcher: Dispatcher,
  target: { origin: string; path: string },
  max_bytes: number,
  signal: AbortSignal,
): Promise<Step> {
  const headers = { 'user-agent': 'Majlis', accept: 'text/html, text/plain, application/pdf, */*;q=0.5' };
  const answer = await dispatcher.request({ ...target, method: 'GET', headers, signal });
  const { statusCode: status, body } = answer;
  const location = headerOf(answer.headers.location);
  const isRedirect = status >= 300 && status < 400 && location !== undefined;
  // Compression was not requested, and answers are never decompressed (hazard H29).
  const isCompressed = !['', 'identity'].includes(headerOf(answer.headers['content-encoding']) ?? '');
  if (isRedirect || isCompressed) {
    body.on('error', () => {}).destroy();
    return isRedirect ? { type: 'redirect', location } : { type: 'unusable', reason: 'a compressed answer' };
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > max_bytes) return { type: 'unusable', reason: `an answer of more than ${max_bytes} bytes` };
    chunks.push(chunk);
  }
  return {
    type: 'answered',
    status,
    content_type: headerOf(answer.headers['content-type']),
    body: Buffer.concat(chunks),
  };
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

const blocked: GetOutcome = { type: 'blocked', reason: 'an address that may not be called' };

/** Describes a failure in our own words: a library's message may quote addresses. */
function readFailure(error: unknown, signal: AbortSignal): GetOutcome {
  if (signal.aborted) return { type: 'failed', reason: 'no whole answer in time' };
  if (error instanceof Error && 'code' in error && error.code === addressRefused) return blocked;
  return { type: 'failed', reason: 'no connection, or no answer that could be read' };
}
