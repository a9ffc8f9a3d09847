import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Answer } from './answer.ts';

const compiled = new Map<TSchema, ReturnType<typeof Compile>>();

/** What is wrong with a success by its documented schema; a refusal has nothing wrong with it here. */
export function schemaFaults({ operation: { reply }, status, body, bytes }: Answer): string[] {
  if (status !== reply.status && status !== reply.otherwise?.status) return [];
  // What a 202 without a documented body says is open; a 204 has none by HTTP itself.
  if (!reply.body) return status === 204 && bytes.length > 0 ? ['204 has no body'] : [];
  if (body === undefined) return ['the body is not JSON (Content-Type: application/json)'];
  return faultsOf(reply.body, body);
}

export function faultsOf(schema: TSchema, value: unknown): string[] {
  const check = compiled.get(schema) ?? Compile(schema);
  compiled.set(schema, check);
  if (check.Check(value)) return [];
  return check.Errors(value).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
}
