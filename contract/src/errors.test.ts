import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { ErrorBody, errors } from './errors.ts';

test('every code has the status that the contract or its standard gives it', () => {
  const statuses = Object.entries(errors).map(([code, { status }]) => `${status} ${code}`);
  assert.deepEqual(statuses, [
    '401 unauthorized',
    '403 insufficient_scope',
    '404 not_found',
    '405 method_not_allowed',
    '409 window_closed',
    '409 conversation_closed',
    '409 contact_blocked',
    '409 bot_in_control',
    '409 idempotency_conflict',
    '413 content_too_large',
    '422 unprocessable_content',
    '422 template_not_found',
    '422 media_not_found',
    '429 rate_limited',
    '500 internal_server_error',
    '503 service_unavailable',
  ]);
});

test('an error body needs its code and nothing else', () => {
  const body = Compile(ErrorBody);
  assert.ok(body.Check({ code: 'window_closed' }));
  assert.ok(!body.Check({ title: 'The 24-hour window is closed' }));
});
