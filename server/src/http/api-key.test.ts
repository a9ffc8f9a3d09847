import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { generateApiKey, parseApiKey, readBearer } from './api-key.ts';

describe('an API key', () => {
  it('names its environment and is found by its SHA-256', () => {
    for (const environment of ['test', 'live']) {
      const { key, key_hash, key_prefix } = generateApiKey(environment);
      assert.match(key, new RegExp(`^mj_${environment}_[0-9A-Za-z]{38}$`));
      assert.deepEqual(key_hash, createHash('sha256').update(key).digest());
      assert.deepEqual(parseApiKey(key), { key_hash });
      assert.equal(key_prefix.length, 12);
      assert.ok(key.startsWith(key_prefix));
    }
  });

  it('takes any other environment as a label', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (label) => assert.ok(parseApiKey(generateApiKey(label).key))),
    ));

  it('keeps its form: keys that are in use stay valid', () => {
    assert.ok(parseApiKey('mj_test_0123456789ABCDEFGHIJKLMNOPQRSTUV1UxWtS'));
  });

  it('is refused after any change of one character or swap of two neighbours', () => {
    const { key } = generateApiKey('test');
    for (let i = 0; i < key.length; i++) {
      const changed = key[i] === 'x' ? 'y' : 'x';
      assert.equal(parseApiKey(key.slice(0, i) + changed + key.slice(i + 1)), undefined);
      const swapped = key.slice(0, i) + (key[i + 1] ?? '') + key[i] + key.slice(i + 2);
      if (swapped !== key) assert.equal(parseApiKey(swapped), undefined);
    }
    for (const text of ['', key.slice(1), ` ${key}`, `${key}\n`, key.toUpperCase(), 'x'.repeat(1e6)]) {
      assert.equal(parseApiKey(text), undefined);
    }
  });

  it('uses all 62 characters alike in its random part', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2000; i++) {
      for (const character of generateApiKey('live').key.slice(8, 40)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    const expected = (2000 * 32) / 62;
    assert.equal(counts.size, 62);
    // Chi-square with 61 degrees of freedom: above 150 once in 10^9 runs; a byte modulo 62 gives about 430.
    const chi_square = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    assert.ok(chi_square < 150, `chi-square ${chi_square}`);
  });
});

describe('readBearer', () => {
  it('reads the credentials, with the scheme in any case', () => {
    for (const header of ['Bearer mj_test_x', 'bearer mj_test_x', 'BEARER   mj_test_x ']) {
      assert.equal(readBearer(header), 'mj_test_x');
    }
    assert.equal(readBearer('Bearer a.b~c+d/e-f_g=='), 'a.b~c+d/e-f_g==');
  });

  it('answers undefined for anything else', () => {
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Basic abc',
      'mj_test_x',
      'Bearer a b',
      'Bearer a,Bearer b',
    ]) {
      assert.equal(readBearer(header), undefined, header);
    }
  });
});
