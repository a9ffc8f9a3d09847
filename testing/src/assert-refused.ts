import assert from 'node:assert/strict';
import { ErrorBody, errors } from '@majlis/contract';
import { Value } from 'typebox/value';

/** Checks a refusal against the contract's schema and catalogue of codes, and answers its body. */
export function assertRefused(
  { status, text }: { status: number; text: string },
  expected = 422,
  what = '',
): ErrorBody {
  assert.equal(status, expected, `${what} ${text}`);
  const body = JSON.parse(text) as ErrorBody;
  assert.ok(Value.Check(ErrorBody, body), text);
  assert.ok(Object.hasOwn(errors, body.code), text);
  return body;
}
