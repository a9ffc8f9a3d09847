import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasWords, placesOf, searchWords, termsOf } from './words.ts';

const finds = (q: string, text: string) => hasWords(termsOf([text]), searchWords(q));

describe('the words of messages', () => {
  it('are found by their beginnings, in any order, case and spelling', () => {
    assert.ok(finds('flat mar', 'Is the FLAT free in March?'));
    assert.ok(finds('march FLAT', 'Is the flat free in March?'));
    assert.ok(!finds('lat', 'Is the flat free?'));
    assert.ok(!finds('flat april', 'Is the flat free in March?'));
    assert.ok(finds('caf', 'Café'));
    assert.ok(finds('احمد', 'أَحْمَد'));
    assert.ok(finds('شقه', 'شقّة'));
    assert.ok(finds('123', '١٢٣٤'));
    assert.ok(finds('a@b.com', 'write to A@B.com'));
  });

  it('are found without the Arabic article and what is written before it', () => {
    for (const text of ['الشقة', 'والشقة', 'بالشقة', 'للشقة', 'وللشقة', 'وشقة', 'كالشقة']) {
      assert.ok(finds('شقة', text), text);
    }
    assert.ok(finds('الشق', 'بكم الشقة؟'));
    assert.ok(!finds('شقة', 'بالشارع'));
  });

  it('have no word in signs alone', () => {
    for (const q of ['', ' ', '؟!', '👍', '\u200f']) assert.deepEqual(searchWords(q), [], q);
  });

  it('are bounded', () => {
    assert.equal(searchWords(Array.from({ length: 50 }, (_, index) => `w${index}`).join(' ')).length, 16);
    assert.ok(termsOf([Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ')]).length <= 1_002);
    assert.ok(finds('a'.repeat(4_000), 'a'.repeat(4_000)));
  });

  it('have their places in the text as it was written', () => {
    const text = 'الشّقّة free, شـقـة';
    const marked = placesOf(text, searchWords('شقه')).map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(marked, ['الشّقّة', 'شـقـة']);
    assert.deepEqual(placesOf('a👍b flat', searchWords('fl')), [{ start: 5, end: 9 }]);
  });
});
