import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchPatterns } from './search-patterns.ts';

describe('searchPatterns', () => {
  it('is the folded text', () => {
    assert.deepEqual(searchPatterns('  مُنَى ', 'OM'), ['مني']);
    assert.deepEqual(searchPatterns('100%', 'OM'), ['100%']);
    assert.deepEqual(searchPatterns('om.911', 'OM'), ['.911']);
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
      'tel:+968-9123-4567',
      'https://wa.me/96891234567?text=Hello',
    ];
    for (const q of typed) {
      assert.ok(
        searchPatterns(q, 'OM').some((pattern) => '+96891234567'.includes(pattern)),
        q,
      );
    }
    assert.ok(
      searchPatterns('050 123 4567', 'SA').every(
        (pattern) => '+966501234567'.includes(pattern) || pattern === '050 123 4567',
      ),
    );
    assert.ok(searchPatterns('050 123 4567', 'SA').includes('501234567'));
    assert.ok(searchPatterns('050 123', 'SA').includes('50123'));
  });

  it('takes fewer than three digits behind zeros as they are', () => {
    for (const q of ['007', '00 12', '12']) assert.deepEqual(searchPatterns(q, 'OM'), [q]);
  });
});
