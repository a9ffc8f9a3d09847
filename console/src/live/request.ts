import type { ConsoleErrorCode, FaultReason, NewerReply } from '@majlis/console-api';
import type { ErrorCode, ErrorDetail } from '@majlis/contract';
import { isWord, t } from '../words/words.ts';

export type FailureCode = ErrorCode | ConsoleErrorCode | 'network' | 'passkey_cancelled' | 'passkey_known';

/** Nobody counts more seconds: a longer wait is named in minutes. */
const mostSecondsNamed = 90;

/** A refusal of the server, or a request that did not reach it. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  /** Sentences for members of the body, by the name of the member. */
  readonly members: ReadonlyMap<string, string>;
  readonly retry_after_seconds: number;
  /** Each member at fault names what is not there, or not any more. */
  isOfUnknownReferences = false;
  /** Of a send: the colleague's reply that overtook it. */
  newer_reply?: NewerReply;

  constructor(code: FailureCode, members: ReadonlyMap<string, string> = new Map(), retry_after_seconds = 1) {
    super(code);
    this.code = code;
    this.members = members;
    this.retry_after_seconds = retry_after_seconds;
  }

  /** A sentence with what to do, in the language of the console. */
  get sentence(): string {
    const seconds = this.retry_after_seconds;
    if (this.code === 'rate_limited' && seconds > mostSecondsNamed) {
      return t('error.rate_limited_long', { minutes: Math.ceil(seconds / 60) });
    }
    // The person has chosen it from a list, and entered nothing.
    if (this.isOfUnknownReferences) return t('error.not_found');
    const id = `error.${this.code}`;
    return t(isWord(id) ? id : 'error.other', { seconds });
  }
}

/** What failed, as a page tells it. A fault of the page itself stands in the browser's log too. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  reportError(error);
  return new Failure('internal_server_error');
}

/** Whether the same request may work later. */
export function isPassing({ code }: Failure): boolean {
  return ['network', 'service_unavailable', 'internal_server_error', 'rate_limited'].includes(code);
}

export function sentenceOf(error: unknown): string {
  return error instanceof Failure ? error.sentence : t('error.other');
}

/** How often somebody has signed in on this page. */
let signIns = 0;

/** What was asked before tells nothing of the new session. */
export function recordSignIn(): void {
  signIns++;
}

interface Fault extends ErrorDetail {
  reason?: FaultReason;
}

type Listener = (failure: Failure) => void;
const signedOutListeners = new Set<Listener>();

/** The listener is called when the server says that the session has ended. */
export function onSignedOut(listener: Listener): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

export interface RequestOptions {
  /** A write with the same key and body acts once, however often it is sent. */
  idempotency_key?: string;
  headers?: Record<string, string>;
  /** The request outlives the page, as a last save before it closes. */
  keepalive?: boolean;
  /** How long the answer may take, where that is longer than usual. */
  timeout_ms?: number;
  /** Takes the headers of an answer that is no refusal. */
  onHeaders?: (headers: Headers) => void;
}

/** Performs a request below `/console/v1`. Rejects with a `Failure`. */
export async function request<Reply = void>(
  method: string,
  path: string,
  body?: unknown,
  options: RequestOptions = {},
): Promise<Reply> {
  const began = signIns;
  const { response, text } = await exchange(method, path, body, options).catch(() => {
    throw new Failure('network');
  });
  const parsed = readJson(response, text);
  if (response.ok) {
    if (text !== '' && parsed === undefined) throw new Failure('network');
    options.onHeaders?.(response.headers);
    return parsed as Reply;
  }
  const faults: Fault[] = parsed?.errors ?? [];
  const members = new Map(faults.map(({ pointer, detail }) => [pointer.slice(1), detail]));
  const wait = readSeconds(response.headers.get('retry-after') ?? '');
  const failure = new Failure(parsed?.code ?? 'service_unavailable', members, wait);
  failure.isOfUnknownReferences = faults.length > 0 && faults.every(({ reason }) => reason === 'unknown_reference');
  if (parsed?.newer_reply) failure.newer_reply = parsed.newer_reply;
  if (failure.code === 'signed_out' && began === signIns) for (const listener of signedOutListeners) listener(failure);
  throw failure;
}

/** Undefined where a proxy or a hotel's network in front of the service answers with a page of its own, or cuts the answer. */
function readJson(response: Response, text: string) {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** At least one. A proxy may name a date, as HTTP allows. */
function readSeconds(retry_after: string): number {
  const wait = Number(retry_after) || (Date.parse(retry_after) - Date.now()) / 1_000;
  return wait > 1 ? Math.ceil(wait) : 1;
}

// A connection that fell silent must not leave a page waiting.
const requestMs = 30_000;

async function exchange(method: string, path: string, body: unknown, options: RequestOptions) {
  const { idempotency_key, headers, keepalive = false, timeout_ms = requestMs } = options;
  const response = await fetch(`/console/v1${path}`, {
    method,
    signal: AbortSignal.timeout(timeout_ms),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotency_key !== undefined && { 'idempotency-key': idempotency_key }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
    keepalive,
  });
  return { response, text: await response.text() };
}
