import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readIdempotencyKey } from './idempotency-key.ts';

describe('readIdempotencyKey', () => {
  it('answers undefined where the header is absent', () => {
    assert.equal(readIdempotencyKey(undefined), undefined);
  });

  it('reads the bare and the quoted form as the same key', () => {
    const same: [string, string][] = [
      ['order-42', '"order-42"'],
      ['a b, c;d=e', '"a b, c;d=e"'],
      ['say \\ and "', '"say \\\\ and \\""'],
      ['8e03978e-40d5-43dd-bc93-6894a57f9324', ' "8e03978e-40d5-43dd-bc93-6894a57f9324" '],
    ];
    for (const [bare, quoted] of same) {
      assert.equal(readIdempotencyKey(bare), bare);
      assert.equal(readIdempotencyKey([quoted]), bare);
    }
  });

  it('takes 255 bytes, in either form, and not one more', () => {
    const longest = 'k'.repeat(255);
    assert.equal(readIdempotencyKey(longest), longest);
    assert.equal(readIdempotencyKey(`"${longest}"`), longest);
    assert.throws(() => readIdempotencyKey(`${longest}k`), /longer than 255/);
    assert.throws(() => readIdempotencyKey(`"${longest}k"`), /longer than 255/);
  });

  it('refuses what is no key, and says why', () => {
    const refused: [string | string[], RegExp][] = [
      ['', /empty/],
      ['   ', /empty/],
      ['""', /empty/],
      [[], /empty/],
      [['a', 'a'], /more than once/],
      ['a\tb', /printable ASCII/],
      ['a\u0000', /printable ASCII/],
      ['clé', /printable ASCII/],
      ['مفتاح', /printable ASCII/],
      ['"open', /quoted string/],
      ['"', /quoted string/],
      ['"a"b"', /quoted string/],
      ['"a\\b"', /quoted string/],
      ['"a";p=1', /quoted string/],
    ];
    for (const [header, detail] of refused) assert.throws(() => readIdempotencyKey(header), detail, String(header));
  });
});
