import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlatformJson } from './parse-platform-json.ts';

test('gives an integer too large for a double as its own digits', () => {
  assert.deepEqual(parsePlatformJson('[9007199254740991,9007199254740993,-9007199254740993,0.5,1e3]'), [
    9007199254740991,
    '9007199254740993',
    '-9007199254740993',
    0.5,
    1000,
  ]);
});

test('gives no text that PostgreSQL cannot store, in names or values', () => {
  assert.deepEqual(parsePlatformJson(String.raw`{"a\u0000":"b\u0000","c":"\ud83d","d":"\ud83d\ude00"}`), {
    'a\uFFFD': 'b\uFFFD',
    c: '\uFFFD',
    d: '😀',
  });
});

test('reads bytes as UTF-8, and refuses what is not JSON', () => {
  assert.equal(parsePlatformJson(Buffer.from('"café"')), 'café');
  assert.throws(() => parsePlatformJson('<html>'), SyntaxError);
});
