import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { expand, expandValue } from './expand.ts';

describe('expand', () => {
  it('puts in any value as it is: braces in it are never variables', () => {
    fc.assert(
      fc.property(bracy(), bracy(), (value, other) => {
        const scope = { trigger: { variables: { a: value, b: other } }, contact: { name: 'SECRET' } };
        const text = '{{trigger.variables.a}}|{{ trigger.variables.b }}';
        assert.equal(expand(text, scope), `${value}|${other}`);
        assert.equal(expandValue('{{trigger.variables.a}}', scope), value);
        assert.deepEqual(expandValue({ x: [text] }, scope), { x: [`${value}|${other}`] });
      }),
    );
  });

  it('reads own members alone, and gives nothing for what is not there', () => {
    for (const name of ['trigger.constructor', 'trigger.__proto__.x', 'toString', 'a.b.c', 'trigger.list.length.x']) {
      assert.equal(expand(`[{{${name}}}]`, { trigger: { list: [] } }), '[]');
    }
  });

  it('shows numbers, truth and lists', () => {
    const scope = { a: { n: 1.5, yes: true, none: null, list: ['x', { y: 1 }] } };
    assert.equal(expand('{{a.n}} {{a.yes}} {{a.none}} {{a.list}} {{a.list.0}}', scope), '1.5 true  ["x",{"y":1}] x');
    assert.equal(expandValue('{{a.n}}', scope), 1.5);
  });

  it('makes nothing of a value but a value where it is encoded', () => {
    const scope = { a: 'x/../y?z#{{a}}' };
    assert.equal(expand('https://h/{{a}}', scope, encodeURIComponent), `https://h/${encodeURIComponent(scope.a)}`);
  });

  it('is no trap of dollar signs', () => {
    assert.equal(expand('{{a}}', { a: "$& $1 $' $$" }), "$& $1 $' $$");
  });
});

/** Texts in which braces, dots and names of variables are frequent. */
function bracy() {
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
