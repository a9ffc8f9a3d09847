import assert from 'node:assert/strict';
import { ErrorBody, errors } from '@majlis/contract';
import { Value } from 'typebox/value';

/** The body of a refusal with this status: in the shape of the contract, with a code of its catalogue. */
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
