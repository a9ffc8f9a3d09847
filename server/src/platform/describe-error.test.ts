import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedShape } from '../../test/recorded/recorded-shapes.ts';
import { describePlatformError } from './describe-error.ts';
import { readError } from './read-error.ts';

for (const [name, value, text] of [
  [
    'synchronous',
    recordedShape('errors', 'synchronous').error,
    '132000: Number of parameters does not match the expected number of params - body: number of localizable_params (2) does not match the expected number of params (1)',
  ],
  [
    'asynchronous',
    recordedShape('errors', 'asynchronous'),
    '131047: Re-engagement message - Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  ],
  [
    'template creation',
    recordedShape('errors', 'template_creation').error,
    '100: Content in This Language Already Exists - There is already English (US) content for this template. Create a new template and try again.',
  ],
  ['shortest', { code: 2, title: 'Down' }, '2: Down'],
  ['wordless', { code: 2 }, '2: Temporary downtime or overload of the platform'],
  ['wordless one of permissions', { code: 299 }, '299: A permission is missing or was removed'],
  ['wordless unknown', { code: 999_999 }, '999999'],
  ['string data', { code: 2, message: '(#2) Down', error_data: 'for a while' }, '2: Down - for a while'],
  ['repetitive', { code: 2, message: '(#2) Down', error_data: { details: 'Down' } }, '2: Down'],
] as const) {
  test(`describes the ${name} error`, () => {
    const error = readError(value);
    assert.ok(error);
    assert.equal(describePlatformError(error), text);
  });
}

test('reads no error without a code', () => {
  for (const value of [undefined, null, 'error', [], {}, { message: 'x' }, { code: 'x' }])
    assert.equal(readError(value), undefined);
});
