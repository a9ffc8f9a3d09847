import type { Operation } from '@majlis/contract';

/** A response of the deployment. */
export interface ApiResponse {
  operation: Operation;
  method: string;
  path: string;
  status: number;
  headers: Headers;
  bytes: Buffer;
  /** The parsed JSON without null members: the contract treats null and absent alike. Undefined for other content. */
  body: unknown;
}

/** The response in short for the report: `201 {"id":…}`. */
export function describeResponse({ status, body, bytes }: ApiResponse): string {
  const text = body === undefined ? `${bytes.length} bytes that are not JSON` : JSON.stringify(body);
  return `${status} ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`;
}

export function errorCodeOf({ body }: ApiResponse): unknown {
  return isJsonObject(body) ? body.code : undefined;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
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
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}
