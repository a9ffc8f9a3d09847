import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { expand, expandValue } from './expand.ts';

describe('expand', () => {
  it('inserts values unchanged: braces in them are never variables', () => {
    fc.assert(
      fc.property(textWithBraces(), textWithBraces(), (value, other) => {
        const scope = { trigger: { variables: { a: value, b: other } }, contact: { name: 'SECRET' } };
        const text = '{{trigger.variables.a}}|{{ trigger.variables.b }}';
        assert.equal(expand(text, scope), `${value}|${other}`);
        assert.equal(expandValue('{{trigger.variables.a}}', scope), value);
        assert.deepEqual(expandValue({ x: [text] }, scope), { x: [`${value}|${other}`] });
      }),
    );
  });

  it('reads own members alone, and returns the empty text for missing ones', () => {
    for (const name of ['trigger.constructor', 'trigger.__proto__.x', 'toString', 'a.b.c', 'trigger.list.length.x']) {
      assert.equal(expand(`[{{${name}}}]`, { trigger: { list: [] } }), '[]');
    }
  });

  it('formats numbers, booleans and lists', () => {
    const scope = { a: { n: 1.5, yes: true, none: null, list: ['x', { y: 1 }] } };
    assert.equal(expand('{{a.n}} {{a.yes}} {{a.none}} {{a.list}} {{a.list.0}}', scope), '1.5 true  ["x",{"y":1}] x');
    assert.equal(expandValue('{{a.n}}', scope), 1.5);
  });

  it('encodes values', () => {
    const scope = { a: 'x/../y?z#{{a}}' };
    assert.equal(expand('https://h/{{a}}', scope, encodeURIComponent), `https://h/${encodeURIComponent(scope.a)}`);
  });

  it('keeps dollar signs', () => {
    assert.equal(expand('{{a}}', { a: "$& $1 $' $$" }), "$& $1 $' $$");
  });
});

/** Texts with many braces, dots and names of variables. */
function textWithBraces() {
  const pieces = fc.constantFrom(
    '{{',
    '}}',
    '{',
    '}',
    'contact.name',
    'trigger.variables.b',
    '.',
    ' ',
    '{{contact.name}}',
  );
  return fc.array(fc.oneof(pieces, fc.string())).map((parts) => parts.join(''));
}
