import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { splitSentences, splitText } from './split-text.ts';

describe('splitText', () => {
  it('keeps paragraphs whole, and joins short ones', () => {
    const long = 'A sentence of some length, again and again. '.repeat(15).trim();
    assert.deepEqual(splitText(`Title\n\n${long}\n\n${long}`), [`Title\n\n${long}`, long]);
  });

  it('cuts a long paragraph between sentences, and a long sentence between words', () => {
    const passages = splitText('خلال يومين من الطلب؟ '.repeat(200));
    assert.ok(passages.length > 3);
    for (const passage of passages) assert.match(passage, /^خلال.*؟$/s);
    assert.equal(splitText('word '.repeat(1_000)).join(' '), 'word '.repeat(1_000).trim());
  });

  it('loses no letter, and makes no long, empty or unstorable passage', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5_000 }), (text) => {
        const passages = splitText(text);
        for (const passage of passages) {
          assert.ok(
            passage.trim() !== '' && passage.length <= 902 && !passage.includes('\0') && passage.isWellFormed(),
          );
        }
        const letters = (of: string) => (of.match(/[\p{L}\p{N}]/gu) ?? []).join('');
        assert.equal(letters(passages.join(' ')), letters(text.toWellFormed()));
      }),
    );
  });
});

describe('sentencesOf', () => {
  it('splits at the marks of both scripts', () => {
    assert.deepEqual(splitSentences('One. Two? ثلاثة؟ أربعة!\nFive'), ['One.', 'Two?', 'ثلاثة؟', 'أربعة!', 'Five']);
  });
});
