import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contradicts, refusalOfType } from './media-types.ts';

test('names all types and the one received in its refusal', () => {
  const refusal = refusalOfType('application/octet-stream');
  assert.match(refusal ?? '', /^\(#100\) Param file must be a file with one of the following types: audio\/aac, /);
  assert.match(refusal ?? '', /Received file of type 'application\/octet-stream'\.$/);
  assert.equal(refusalOfType('audio/ogg; codecs=opus'), undefined);
});

test('refuses an extension of another type, and no unknown one', () => {
  assert.equal(contradicts('photo.png', 'image/jpeg'), true);
  assert.equal(contradicts('photo.JPG', 'image/jpeg'), false);
  assert.equal(contradicts('table.csv', 'text/plain'), false);
  assert.equal(contradicts('voice', 'audio/ogg; codecs=opus'), false);
});
