import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findEmoji } from './find-emoji.ts';
import { names as arabic } from './names-ar.ts';
import { names as english } from './names-en.ts';

const found = (text: string, all = english) => findEmoji(all, text, 8).map(([emoji]) => emoji);

describe('the search of emoji', () => {
  it('finds the name first, then words of it, then other words', () => {
    assert.equal(found('thumbs up')[0], '👍');
    assert.equal(found('thumbs_up')[0], '👍');
    assert.ok(found('rocket').includes('🚀'));
    assert.ok(found('launch').includes('🚀'));
    assert.deepEqual(found('zzz no such'), []);
  });

  it('draws a heart in colour, and lists no brackets', () => {
    assert.ok(found('red heart').includes('❤️'));
    assert.ok(english.every(([emoji]) => /^\p{RGI_Emoji}$/v.test(emoji)));
    assert.ok(english.length > 1_200);
  });

  it('folds Arabic as the other searches do', () => {
    assert.ok(found('قلب احمر', arabic).includes('❤️'), found('قلب احمر', arabic).join());
    assert.ok(found('صاروخ', arabic).includes('🚀'));
  });

  it('shows an emoji once, that both languages find', () => {
    const both = [...arabic, ...english];
    assert.equal(new Set(found('ok', both)).size, found('ok', both).length);
  });
});
