import { AbortedError, ConnectionError, createApiError, MajlisError, NotFoundError, TimeoutError } from './errors.ts';
import type { KeyedOptions, WithResponse } from './options.ts';
import { delayAfter, mayHaveLeft, pause, type Repeats } from './retry.ts';

/** A request, ready to be made as often as it needs. */
export interface PreparedRequest {
  method: string;
  url: string;
  body?: string | FormData | undefined;
  repeats: Repeats;
  /** Resolves with the response as soon as its headers are here, and leaves the body to the caller. */
  raw?: boolean | undefined;
}

export interface Connection {
  fetch: typeof globalThis.fetch;
  headers: Readonly<Record<string, string>>;
  timeout_ms: number;
  maxRetries: number;
}

/** Makes the request until it succeeds, its error is final, or its retries are used up. */
export async function sendRequest(
  connection: Connection,
  request: PreparedRequest,
  options: KeyedOptions,
): Promise<WithResponse<unknown>> {
  const { signal, maxRetries = connection.maxRetries } = options;
  const headers = headersOf(connection, request, options);
  // After an attempt of unknown outcome, "not found" may be the success of that attempt.
  let mayBeGone = false;
  for (let attempt = 0; ; attempt++) {
    if (signal?.aborted) throw new AbortedError('The request was aborted.', { cause: signal.reason });
    const outcome = await attemptOnce(connection, request, headers, options).catch((error: unknown) => error);
    if (!(outcome instanceof MajlisError)) {
      if (outcome instanceof Error) throw outcome;
      return outcome as WithResponse<unknown>;
    }
    if (outcome instanceof NotFoundError && mayBeGone) return goneAnswer(outcome);
    const delay_ms = attempt < maxRetries ? delayAfter(outcome, request.repeats, attempt) : undefined;
    if (delay_ms === undefined) throw outcome;
    mayBeGone ||= request.method === 'DELETE' && !(outcome instanceof ConnectionError && !outcome.wasSent);
    await pause(delay_ms, signal);
  }
}

function headersOf(
  { headers }: Connection,
  { method, body }: PreparedRequest,
  { headers: own, idempotencyKey }: KeyedOptions,
): Headers {
  const all = new Headers(headers);
  all.set('Accept', 'application/json');
  if (typeof body === 'string') all.set('Content-Type', 'application/json');
  // Operations that take no key ignore it.
  if (method !== 'GET' && method !== 'DELETE') all.set('Idempotency-Key', idempotencyKey ?? randomKey());
  for (const [name, value] of Object.entries(own ?? {})) all.set(name, value);
  return all;
}

async function attemptOnce(
  { fetch, timeout_ms }: Connection,
  { method, url, body, raw }: PreparedRequest,
  headers: Headers,
  { signal, timeout_ms: own_timeout_ms = timeout_ms }: KeyedOptions,
): Promise<WithResponse<unknown>> {
  const end = new AbortController();
  const abort = () => end.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end.abort();
  }, own_timeout_ms);
  signal?.addEventListener('abort', abort);
  let keepsSignal = false;
  try {
    const init = { method, headers, signal: end.signal, redirect: 'manual' as const };
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    const requestId = response.headers.get('x-request-id') ?? undefined;
    if (response.ok && raw) {
      keepsSignal = true;
      return { data: response, response, requestId };
    }
    return { data: readAnswer(response, await response.text()), response, requestId };
  } catch (error) {
    if (error instanceof MajlisError) throw error;
    if (signal?.aborted) throw new AbortedError('The request was aborted.', { cause: signal.reason });
    if (isLate) throw new TimeoutError(`There was no complete answer in ${own_timeout_ms} ms.`, { wasSent: true });
    throw new ConnectionError('The connection failed.', { cause: error, wasSent: mayHaveLeft(error) });
  } finally {
    clearTimeout(timer);
    // The caller's signal also ends the body of a download.
    if (!keepsSignal) signal?.removeEventListener('abort', abort);
  }
}

function readAnswer(response: Response, text: string): unknown {
  const { status, headers, ok } = response;
  if (ok && text === '') return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    if (ok) throw new MajlisError(`The answer with status ${status} is no JSON: is baseUrl the address of Majlis?`);
  }
  if (ok) return body;
  throw createApiError({ status, headers, body });
}

function goneAnswer({ headers, requestId }: NotFoundError): WithResponse<undefined> {
  return { data: undefined, response: new Response(null, { status: 204, headers }), requestId };
}

/** A random UUID. `crypto.randomUUID` is missing in pages that came without HTTPS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
