import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { termsOf } from '../../database/search-terms.ts';
import { searchPatterns } from './search-patterns.ts';

describe('searchPatterns', () => {
  it('is the folded text', () => {
    assert.deepEqual(searchPatterns('  مُنَى ', 'OM'), ['مني']);
    assert.deepEqual(searchPatterns('100%', 'OM'), ['100%']);
  });

  it('is nothing where the text folds to nothing', () => {
    for (const q of ['', '   ', '\u0640', '\u200f']) assert.deepEqual(searchPatterns(q, 'OM'), []);
  });

  it('finds a phone number as it is typed', () => {
    const typed = [
      '9123 4567',
      '91234567',
      '٩١٢٣٤٥٦٧',
      '+968 9123-4567',
      '0096891234567',
      '(968) 9123.4567',
      '\u200f+96891234567',
    ];
    for (const q of typed) {
      assert.ok(
        searchPatterns(q, 'OM').some((pattern) => '+96891234567'.includes(pattern)),
        q,
      );
    }
    assert.ok(searchPatterns('050 123 4567', 'SA').includes('+966501234567'));
    assert.ok(searchPatterns('050 123', 'SA').includes('50123'));
  });

  it('takes fewer than three digits behind zeros as they are', () => {
    for (const q of ['007', '00 12', '12']) assert.deepEqual(searchPatterns(q, 'OM'), [q]);
  });
});

describe('termsOf', () => {
  it('are parts of the pattern, of the lengths that are indexed, that cover it', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), (pattern) => {
        const terms = termsOf(pattern);
        for (const term of terms) {
          assert.ok(pattern.includes(term));
          assert.ok([1, 2, 4].includes([...term].length));
        }
        assert.ok(terms.some((term) => pattern.startsWith(term)));
        assert.ok(pattern.includes('@') || terms.some((term) => pattern.endsWith(term)));
      }),
    ));

  it('cover an address up to its @, where that is long enough', () => {
    assert.deepEqual(termsOf('muna@example.om'), ['muna', 'una@']);
    assert.deepEqual(termsOf('m@example.om'), ['m@ex', 'ampl', 'e.om']);
  });

  it('are each told once', () => assert.deepEqual(termsOf('aaaabbbbaaaa'), ['aaaa', 'bbbb']));

  it('are few for a long pattern', () => {
    const long = Array.from({ length: 10_000 }, (_, n) => String.fromCodePoint(0x4e00 + (n % 5_000))).join('');
    assert.equal(termsOf(long).length, 32);
  });
});
