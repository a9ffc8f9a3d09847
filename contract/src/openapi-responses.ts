import { commonRefusals, ErrorBody, type ErrorCode, type ErrorDefinition, errors } from './errors.ts';
import type { Refer } from './openapi-schemas.ts';
import { operations } from './operations.ts';

/** The headers of every answer, and those of some refusals. */
export const headers = {
  'RateLimit-Limit': {
    description: 'The requests that the limit with the least left admits.',
    schema: { type: 'integer' },
    example: 600,
  },
  'RateLimit-Remaining': {
    description: 'The requests that are left of it.',
    schema: { type: 'integer' },
    example: 599,
  },
  'RateLimit-Reset': {
    description: 'The seconds until it is reset.',
    schema: { type: 'integer' },
    example: 60,
  },
  'Retry-After': {
    description: 'The seconds to wait at least before the next request. Add some jitter.',
    schema: { type: 'integer' },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'The scheme of authentication and, where a scope is missing, `error="insufficient_scope"`.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
};

export const rateLimitHeaders = refer('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');

const names: Partial<Record<ErrorDefinition['status'], string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'ContentTooLarge',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

/** One shared response for every status with which an operation refuses, with an example for each of its codes. */
export function describeResponses(schema: Refer): Record<string, unknown> {
  const used = new Set<ErrorCode>(commonRefusals);
  for (const { refusals } of Object.values(operations)) for (const code of refusals) used.add(code);
  const codes = (Object.keys(errors) as ErrorCode[]).filter((code) => used.has(code));
  const body = schema(ErrorBody);
  return Object.fromEntries(
    byStatus(codes).map(([status, of]) => [
      nameOf(status),
      {
        description: phrase(of),
        headers: { ...rateLimitHeaders, ...extraHeaders(status) },
        content: { 'application/json': { schema: body, examples: Object.fromEntries(of.map(exampleOf)) } },
      },
    ]),
  );
}

/** The responses of one operation: references, each saying which codes of the status are meant here. */
export function referResponses(refusals: readonly ErrorCode[]): Record<string, unknown> {
  return Object.fromEntries(
    byStatus([...commonRefusals, ...refusals]).map(([status, of]) => [
      String(status),
      { $ref: `#/components/responses/${nameOf(status)}`, description: phrase(of) },
    ]),
  );
}

function byStatus(codes: readonly ErrorCode[]): [ErrorDefinition['status'], readonly ErrorCode[]][] {
  const groups = Map.groupBy(codes, (code) => errors[code].status);
  return [...groups].toSorted(([a], [b]) => a - b);
}

function phrase(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${errors[code].title}.`).join(' ');
}

function exampleOf(code: ErrorCode): [string, unknown] {
  const { status, title } = errors[code];
  const wrong = { errors: [{ detail: 'must be string', pointer: '/kind' }] };
  return [code, { value: { code, title, status, ...(code === 'unprocessable_content' && wrong) } }];
}

function extraHeaders(status: number): Record<string, unknown> {
  if (status === 429) return refer('Retry-After');
  if (status === 401 || status === 403) return refer('WWW-Authenticate');
  return {};
}

function nameOf(status: ErrorDefinition['status']): string {
  const name = names[status];
  if (name === undefined) throw new Error(`No operation refuses with ${status}.`);
  return name;
}

function refer(...keys: (keyof typeof headers)[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, { $ref: `#/components/headers/${key}` }]));
}
