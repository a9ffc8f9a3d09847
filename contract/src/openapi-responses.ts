import { ErrorBody, type ErrorCode, errors } from './errors.ts';
import type { Refer } from './openapi-schemas.ts';
import { type Operation, refusalsOf } from './operation.ts';
import { operations } from './operations.ts';

/** The headers of every response, and of some refusals. */
export const headers = {
  'RateLimit-Limit': {
    description: 'The maximum of the limit that has the fewest requests left.',
    schema: { type: 'integer' },
    example: 600,
  },
  'RateLimit-Remaining': {
    description: 'The requests left under that limit.',
    schema: { type: 'integer' },
    example: 599,
  },
  'RateLimit-Reset': {
    description: 'The seconds until that limit is reset.',
    schema: { type: 'integer' },
    example: 60,
  },
  'Retry-After': {
    description: 'The least number of seconds to wait before the next request. Add jitter.',
    schema: { type: 'integer' },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'The scheme of authentication and, where a scope is missing, `error="insufficient_scope"`.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
};

export const rateLimitHeaders = referHeaders('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');

type Codes = readonly [ErrorCode, ...ErrorCode[]];

/** The shared responses: one for each code that is the only code of its status in some operation. */
export function describeResponses(refer: Refer): Record<string, unknown> {
  const groups = Object.values(operations).flatMap((operation) => groupByStatus(refusalsOf(operation)));
  const alone = new Set(groups.filter((codes) => codes.length === 1).map(([code]) => code));
  return Object.fromEntries([...alone].map((code) => [componentName(code), describeResponse([code], refer)]));
}

/** The refusals of one operation: a reference for each status with one code, an own response for several codes. */
export function referResponses(operation: Operation, refer: Refer): Record<string, unknown> {
  return Object.fromEntries(
    groupByStatus(refusalsOf(operation)).map((codes) => [
      String(errors[codes[0]].status),
      codes.length === 1
        ? { $ref: `#/components/responses/${componentName(codes[0])}` }
        : describeResponse(codes, refer),
    ]),
  );
}

function describeResponse(codes: Codes, refer: Refer): Record<string, unknown> {
  const examples = Object.fromEntries(codes.map(exampleOfCode));
  return {
    description: describeCodes(codes),
    headers: { ...rateLimitHeaders, ...extraHeaders(errors[codes[0]].status) },
    content: { 'application/json': { schema: refer(ErrorBody), examples } },
  };
}

function groupByStatus(codes: readonly ErrorCode[]): Codes[] {
  const groups = Map.groupBy(codes, (code) => errors[code].status);
  return [...groups].toSorted(([a], [b]) => a - b).map(([, group]) => group as [ErrorCode, ...ErrorCode[]]);
}

function describeCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${errors[code].title}.`).join(' ');
}

function exampleOfCode(code: ErrorCode): [string, unknown] {
  const { status, title } = errors[code];
  const wrong = { errors: [{ detail: 'must be string', pointer: '/kind' }] };
  return [code, { value: { code, title, status, ...(code === 'unprocessable_content' && wrong) } }];
}

function extraHeaders(status: number): Record<string, unknown> {
  if (status === 429) return referHeaders('Retry-After');
  if (status === 401 || status === 403) return referHeaders('WWW-Authenticate');
  return {};
}

/** The refusal of an extension, which is not in the contract's catalogue. */
export function describeExtensionResponse(
  code: string,
  { status, title }: { readonly status: number; readonly title: string },
  refer: Refer,
): Record<string, unknown> {
  return {
    description: `\`${code}\`: ${title}.`,
    headers: rateLimitHeaders,
    content: {
      'application/json': { schema: refer(ErrorBody), examples: { [code]: { value: { code, title, status } } } },
    },
  };
}

/** `IdempotencyConflict` of `idempotency_conflict`. */
function componentName(code: ErrorCode): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function referHeaders(...keys: (keyof typeof headers)[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, { $ref: `#/components/headers/${key}` }]));
}
