import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ApiResponse } from './api-response.ts';

const compiled = new Map<TSchema, ReturnType<typeof Compile>>();

/** The faults of a successful response by its documented schema. Empty for a refusal. */
export function findResponseFaults({ operation: { reply }, status, body, bytes }: ApiResponse): string[] {
  if (status !== reply.status && status !== reply.otherwise?.status) return [];
  // A 202 without a documented body may have any body. HTTP allows none for 204.
  if (!reply.body) return status === 204 && bytes.length > 0 ? ['204 has no body'] : [];
  if (body === undefined) return ['the body is not JSON (Content-Type: application/json)'];
  return findSchemaFaults(reply.body, body);
}

export function findSchemaFaults(schema: TSchema, value: unknown): string[] {
  const check = compiled.get(schema) ?? Compile(schema);
  compiled.set(schema, check);
  if (check.Check(value)) return [];
  return check.Errors(value).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
}
