import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '@majlis/contract';
import { type ApiResponse, parseBody } from './api-response.ts';
import { NoAnswer, NotChecked } from './verdict.ts';

export interface ApiCall {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  /** Sent as JSON; strings and forms are sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Replaces the `Authorization` header with the key; null omits the header. */
  authorization?: string | null;
}

export interface ApiClient {
  /** Waits and repeats the call after a 429, as `Retry-After` says. Throws NoAnswer and NotChecked. */
  call(operation: Operation, call?: ApiCall): Promise<ApiResponse>;
  /** Like `call`, but returns a 429 at once. */
  callOnce(operation: Operation, call?: ApiCall): Promise<ApiResponse>;
}

const maxWaitSeconds = 65;
const timeout_ms = 30_000;
const unknownId = '00000000000000000000000000';

/** A client with a key. `record` gets every response. */
export function createApiClient(url: string, key: string, record: (answer: ApiResponse) => void): ApiClient {
  async function callOnce(operation: Operation, call: ApiCall = {}): Promise<ApiResponse> {
    const path = pathOf(operation, call);
    const answer = await request(operation, path, call);
    record(answer);
    return answer;
  }

  async function request(operation: Operation, path: string, call: ApiCall): Promise<ApiResponse> {
    const { method } = operation;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: headersOf(call, key),
        ...(call.body !== undefined && { body: bodyOf(call.body) }),
        // A redirect would send the key to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout_ms),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const body = parseBody(bytes, response.headers.get('content-type'));
      return { operation, method, path, status: response.status, headers: response.headers, bytes, body };
    } catch (error) {
      throw new NoAnswer(describeFailure(error));
    }
  }

  return {
    callOnce,
    async call(operation, call) {
      for (let attempt = 0; ; attempt++) {
        const answer = await callOnce(operation, call);
        if (answer.status !== 429) return answer;
        const seconds = Number(answer.headers.get('retry-after')) || 1;
        if (seconds > maxWaitSeconds || attempt === 3) {
          throw new NotChecked(`${operation.method} ${operation.path} is limited for the next ${seconds} s`);
        }
        await pause(seconds * 1000);
      }
    },
  };
}

function pathOf({ path }: Operation, { params = {}, query = {} }: ApiCall): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? unknownId));
  const entries = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return entries.length === 0 ? filled : `${filled}?${new URLSearchParams(entries)}`;
}

function headersOf({ body, headers, authorization }: ApiCall, key: string): Record<string, string> {
  const bearer = authorization === undefined ? `Bearer ${key}` : authorization;
  return {
    ...(bearer !== null && { authorization: bearer }),
    ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    ...headers,
  };
}

function bodyOf(body: unknown): FormData | string {
  if (body instanceof FormData || typeof body === 'string') return body;
  return JSON.stringify(body);
}

function describeFailure(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
