import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLines, languageOf } from './persona-lines.ts';

describe('the lines of a persona', () => {
  for (const [text, part] of [
    ['Could you give me the order number, please? We deliver today.', '{order}'],
    ['Your order is on its way and arrives at five.', 'driver'],
    ['It costs OMR 245.000.', 'How can I pay'],
    ['Hello Priya!', '{order}'],
    ['Shall I reserve it?', 'Yes'],
    ['Noted.', 'Okay'],
  ] as const) {
    it(`fit: ${text}`, () => assert.match(JSON.stringify(findLines(text, 'en').lines[0]), new RegExp(part)));
  }
  it('answer a question about the place with the place', () => {
    assert.deepEqual(findLines('أرسل لنا موقعك لو سمحت', 'ar').lines, [{ place: true }]);
  });
  it('are in the language of the letters', () => {
    assert.deepEqual([languageOf('طلب A-1042'), languageOf('Order A-1042')], ['ar', 'en']);
  });
});
