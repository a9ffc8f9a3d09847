import type { HttpOperation } from '@majlis/contract';
import type { FastifyRequest } from 'fastify';
import { verdictOn } from '../body/checked-bodies.ts';
import { fingerprint } from './fingerprint.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import type { WriteKey } from './stored-answers.ts';

/** The idempotency key of a request, if the client sent one. `scope` keeps the keys of one caller apart from those of others. */
export function readWriteKey(
  { path }: HttpOperation,
  { raw, method, params, body }: FastifyRequest,
  workspace_id: string,
  scope: string,
): WriteKey | undefined {
  const key = readIdempotencyKey(valuesOf(raw.rawHeaders, 'idempotency-key'));
  if (key === undefined) return undefined;
  return {
    workspace_id,
    // The decoded path, so that percent-escapes do not make another key.
    operation: `${scope}${method} ${path.replaceAll(/\{(\w+)\}/g, (_, name) => (params as Record<string, string>)[name]!)}`,
    key,
    fingerprint: verdictOn(body)?.fingerprint ?? fingerprint(body),
  };
}

/** As `headersDistinct`, which requests inside this process lack. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] | undefined {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === name);
  return values.length === 0 ? undefined : values;
}
