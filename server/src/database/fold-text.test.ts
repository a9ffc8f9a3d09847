import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compose, foldText } from './fold-text.ts';

describe('foldText', () => {
  it('gives a name with a run of marks the key of the name', () => {
    assert.equal(foldText(`Zoe${'\u0308\u0323'.repeat(5_000)} Ali`), 'zoe ali');
  });

  it('bounds the run of marks that normalisation sorts, whichever character becomes a mark', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const letter = String.fromCodePoint(point);
      if (!/^\p{M}/u.test(letter.normalize('NFKD'))) continue;
      const longest = compose(`a${`${letter}\u0316`.repeat(60)}`).match(/\p{M}+/u)?.[0].length ?? 0;
      assert.ok(longest <= 90, `U+${point.toString(16)}: ${longest} marks`);
    }
  });

  it('keeps the marks of a text that people write', () => {
    assert.equal(compose('إِبْرَاهِيم Zoe\u0308'), 'إِبْرَاهِيم Zoë'.normalize('NFC'));
  });
});
