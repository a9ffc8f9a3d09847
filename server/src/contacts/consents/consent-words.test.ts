import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decisionIn, defaultWords, readWords } from './consent-words.ts';

describe('a word of a customer', () => {
  it('withdraws the consent as the whole text alone, in any spelling', () => {
    for (const text of [
      'STOP',
      ' stop. ',
      'Stop!',
      '"stop"',
      'Stop 🛑',
      '🙏🏽 stop ❤️',
      '_stop_',
      '(stop)',
      'stop…',
      'إيقاف؛',
      'ＳＴＯＰ',
      'ايقاف',
      'إيقَاف',
      'إلغاء  الإشتراك',
      'Opt\nout',
    ]) {
      assert.equal(decisionIn(text, defaultWords), false, text);
    }
    for (const text of ['stop by tomorrow', "don't stop", 'stopping', 'stop?', '🛑', '', '.', 'إيقاف الطلب', 'start']) {
      assert.equal(decisionIn(text, defaultWords), undefined, text);
    }
  });

  it('grants it again where the workspace says so', () => {
    const words = { ...defaultWords, start_words: ['Start', 'اشترك'] };
    assert.equal(decisionIn('START', words), true);
    assert.equal(decisionIn('إشترك', words), true);
    assert.equal(decisionIn('start now', words), undefined);
  });

  it('may be an emoji alone', () => {
    const words = { stop_words: ['🛑'], start_words: ['👍'] };
    assert.equal(decisionIn('🛑', words), false);
    assert.equal(decisionIn(' 👍', words), true);
    assert.equal(decisionIn('👎', words), undefined);
  });

  it('takes no long time with a long text', () => {
    assert.equal(decisionIn(`${'!'.repeat(200_000)}x`, defaultWords), undefined);
    assert.equal(decisionIn(`${' '.repeat(200)}stop`, defaultWords), false);
  });
});

describe('the words of a workspace', () => {
  it('stand once each', () => {
    assert.deepEqual(readWords({ stop_words: [' Stop ', 'STOP', 'إيقاف', 'ايقاف'], start_words: ['go'] }), {
      stop_words: ['Stop', 'إيقاف'],
      start_words: ['go'],
    });
  });

  it('are refused where they are empty, long, many, or in both lists', () => {
    const pointerOf = (stop_words: string[], start_words: string[] = []) => {
      const read = readWords({ stop_words, start_words });
      return 'pointer' in read ? read.pointer : undefined;
    };
    assert.equal(pointerOf(['...']), '/stop_words');
    assert.equal(pointerOf(['x'.repeat(61)]), '/stop_words');
    assert.equal(pointerOf(Array.from({ length: 51 }, (_, n) => `word ${n}`)), '/stop_words');
    assert.equal(pointerOf(['stop'], ['STOP!']), '/start_words');
    assert.equal(pointerOf([]), undefined);
  });
});
