import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '@majlis/contract';
import { type Answer, parseBody } from './answer.ts';
import { NoAnswer, NotChecked } from './verdict.ts';

export interface Call {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  /** JSON; bytes and forms go as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Instead of `Bearer` and the key; null sends no such header. */
  authorization?: string | null;
}

export interface Client {
  call(operation: Operation, call?: Call): Promise<Answer>;
  /** The same without waiting where the answer is 429. */
  callOnce(operation: Operation, call?: Call): Promise<Answer>;
}

const longestWaitSeconds = 65;
const timeout_ms = 30_000;
const unknownId = '00000000000000000000000000';

/** A client with a key. Every answer is handed to `record`; where it is told to slow down, it does. */
export function createClient(url: string, key: string, record: (answer: Answer) => void): Client {
  async function callOnce(operation: Operation, call: Call = {}): Promise<Answer> {
    const path = pathOf(operation, call);
    const answer = await request(operation, path, call);
    record(answer);
    return answer;
  }

  async function request(operation: Operation, path: string, call: Call): Promise<Answer> {
    const { method } = operation;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: headersOf(call, key),
        ...(call.body !== undefined && { body: bodyOf(call.body) }),
        // A redirect would carry the key elsewhere.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout_ms),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const body = parseBody(bytes, response.headers.get('content-type'));
      return { operation, method, path, status: response.status, headers: response.headers, bytes, body };
    } catch (error) {
      throw new NoAnswer(reasonOf(error));
    }
  }

  return {
    callOnce,
    async call(operation, call) {
      for (let turn = 0; ; turn++) {
        const answer = await callOnce(operation, call);
        if (answer.status !== 429) return answer;
        const seconds = Number(answer.headers.get('retry-after')) || 1;
        if (seconds > longestWaitSeconds || turn === 3) {
          throw new NotChecked(`${operation.method} ${operation.path} is limited for the next ${seconds} s`);
        }
        await pause(seconds * 1000);
      }
    },
  };
}

function pathOf({ path }: Operation, { params = {}, query = {} }: Call): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? unknownId));
  const entries = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return entries.length === 0 ? filled : `${filled}?${new URLSearchParams(entries)}`;
}

function headersOf({ body, headers, authorization }: Call, key: string): Record<string, string> {
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

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
