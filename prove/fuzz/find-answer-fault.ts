import { ErrorBody, errors, type Operation, refusalsOf } from '@majlis/contract';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
}

const checks = new Map<TSchema, ReturnType<typeof Compile>>();

/** Checks an answer against the contract; undefined where it conforms. */
export function findAnswerFault(operation: Operation, { status, headers, text }: HttpAnswer): string | undefined {
  if (status >= 500) return `answered ${status}`;
  // HTTP's own answer to a request line of more than 16 KB, before anybody can say which operation it is.
  if (status === 431) return undefined;
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    if (!/^\d+$/.test(headers.get(name) ?? '')) return `has no ${name}`;
  }
  const { reply } = operation;
  if (status === reply.status || status === reply.otherwise?.status) {
    if (!reply.body) return undefined;
    return breaksOf(reply.body, text);
  }
  const documented = refusalsOf(operation).map((code): number => errors[code].status);
  if (!documented.includes(status)) return `answered ${status}, which is not documented`;
  return breaksOf(ErrorBody, text);
}

function breaksOf(schema: TSchema, text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `answered what is not JSON: ${text.slice(0, 200)}`;
  }
  let check = checks.get(schema);
  if (!check) {
    check = Compile(schema);
    checks.set(schema, check);
  }
  return check.Check(value) ? undefined : `breaks its schema: ${JSON.stringify(check.Errors(value)).slice(0, 300)}`;
}
