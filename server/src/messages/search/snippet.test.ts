import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { snippetOf } from './snippet.ts';
import { searchWords } from './words.ts';

const of = (text: string, q: string) => snippetOf([text, null], searchWords(q));

describe('the snippet of a message', () => {
  it('is a short text as it is', () => {
    assert.deepEqual(of('Two\nlines', 'lines'), { snippet: 'Two lines', matches: [{ start: 4, end: 9 }] });
  });

  it('is the part around the first hit of a long text', () => {
    const { snippet, matches } = of(`${'word '.repeat(100)}flat ${'word '.repeat(100)}`, 'flat');
    assert.ok(snippet.length <= 162 && snippet.startsWith('…word ') && snippet.endsWith('…'), snippet);
    assert.deepEqual(
      matches.map(({ start, end }) => snippet.slice(start, end)),
      ['flat'],
    );
  });

  it('cuts no character in two', () => {
    for (let spaces = 0; spaces < 2; spaces++) {
      const { snippet } = of(' '.repeat(spaces) + '👍'.repeat(100), 'flat');
      assert.ok(snippet.isWellFormed());
      assert.ok(of(`${' '.repeat(spaces)}${'👍'.repeat(100)}flat`, 'flat').snippet.isWellFormed());
    }
  });

  it('is of the file name where the text has no hit', () => {
    const { snippet } = snippetOf(['See this', 'Contract.pdf'], searchWords('contract'));
    assert.equal(snippet, 'Contract.pdf');
  });

  it('ends a hit with its own end', () => {
    const { snippet, matches } = of(`x ${'a'.repeat(400)}`, 'a');
    assert.ok(matches.every(({ start, end }) => start < end && end <= snippet.length));
  });
});
