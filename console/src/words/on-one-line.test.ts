import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onOneLine } from './on-one-line.ts';

it('isolates each further line of a text that has to stand on one line', () => {
  assert.equal(onOneLine('one line'), 'one line');
  assert.equal(
    onOneLine('ليوم الجمعة\n2 × oud-1  9.5 OMR\n\n \n1 × عود\n'),
    'ليوم الجمعة \u20682 × oud-1  9.5 OMR\u2069 \u20681 × عود\u2069',
  );
});
