import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { sql } from 'kysely';
import { foldText } from './fold-text.ts';
import { build } from './query.ts';
import { holds, searchKey } from './search-key.ts';

/** As PostgreSQL compares; a key has no character that LIKE or a regular expression reads otherwise. */
function isHeld(key: string, folded: string): boolean {
  const { sql: text, parameters } = holds(sql`key`, folded).compile(build);
  const patterns = parameters.map(String);
  if (text.includes('~')) return new RegExp(patterns[0]!).test(key);
  return patterns.every((pattern) => key.includes(pattern.replaceAll('%', '')));
}

const letters = fc.constantFrom(...'aAzZ09 @.%_\\éمنىہے٣дß字👍\u001f\ud800'.split(''), '👍');
const text = fc.oneof(fc.string({ unit: letters, maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 20 }));

describe('searchKey', () => {
  it('is of ASCII letters and digits alone', () =>
    fc.assert(fc.property(text, text, (one, two) => assert.match(searchKey(one, null, two), /^[0-9a-z]*$/))));

  it('holds what one of the folded texts holds, and nothing else', () =>
    fc.assert(
      fc.property(text, text, text, (one, two, asked) => {
        const folded = foldText(asked);
        // The door refuses half a character.
        fc.pre(folded !== '' && asked.isWellFormed());
        const isMeant = [one, two].some((text) => [...foldText(text)].join('\0').includes([...folded].join('\0')));
        assert.equal(isHeld(searchKey(one, two), folded), isMeant);
      }),
    ));

  it('holds every part of a text', () =>
    fc.assert(
      fc.property(text, fc.nat(20), fc.nat(20), (text, from, to) => {
        const part = [...foldText(text)].slice(from, to).join('');
        if (part !== '') assert.ok(isHeld(searchKey(text), part));
      }),
    ));

  it('gives two letters a trigram, and one letter too', () => {
    for (const asked of ['m', 'mu', 'م', 'مد', 'ж']) {
      const { parameters } = holds(sql`key`, asked).compile(build);
      assert.match(String(parameters[0]), /^%?[0-9a-z]{3,}|^[0-9a-z]{2}\[i-z\]$/, asked);
    }
  });
});
