import type { Operation } from '@majlis/contract';

/** An answer as it came. */
export interface Answer {
  operation: Operation;
  method: string;
  path: string;
  status: number;
  headers: Headers;
  bytes: Buffer;
  /** Parsed where it is JSON; members that are null are left out, because absent and null are the same to the contract. */
  body: unknown;
}

/** `201 {"id":…}`: as much of an answer as a report needs. */
export function describeAnswer({ status, body, bytes }: Answer): string {
  const text = body === undefined ? `${bytes.length} bytes that are not JSON` : JSON.stringify(body);
  return `${status} ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`;
}

export function codeOf({ body }: Answer): unknown {
  return isObject(body) ? body.code : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseBody(bytes: Buffer, content_type: string | null): unknown {
  if (!content_type?.startsWith('application/json')) return undefined;
  try {
    return withoutNulls(JSON.parse(bytes.toString()));
  } catch {
    return undefined;
  }
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}
