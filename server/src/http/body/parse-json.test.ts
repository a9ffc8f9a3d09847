import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { parseJson } from './parse-json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** The pointer at which each body is refused. */
const refused: [string, string, RegExp][] = [
  ['', '', /not well-formed JSON/],
  ['{"a":1,}', '', /not well-formed JSON/],
  ['{"a":01}', '', /not well-formed JSON/],
  ["{'a':1}", '', /not well-formed JSON/],
  ['[1] [2]', '', /not well-formed JSON/],
  ['{"a":NaN}', '', /not well-formed JSON/],
  ['{"a":"\u0000"}', '', /not well-formed JSON/],
  ['{"a":["x","\\u0000"]}', '/a/1', /NUL/],
  ['"\\u0000"', '', /NUL/],
  ['{"a":{"b\\u0000":1}}', '/a', /NUL/],
  ['{"a":"\\ud800"}', '/a', /surrogate/],
  ['{"a":"\\ud83d\\u0041"}', '/a', /surrogate/],
  ['{"\\udc00":1}', '', /surrogate/],
  ['{"a":1e400}', '/a', /without loss/],
  ['[0,-1E400]', '/1', /without loss/],
  ['{"a":9007199254740993}', '/a', /without loss/],
  ['[[1],[2,-9007199254740993]]', '/1/1', /without loss/],
  ['{"a":9007199254740992.5}', '/a', /without loss/],
  ['{"a":900719925474099301e-1}', '/a', /without loss/],
  ['{"__proto__":{"x":1}}', '/__proto__', /not allowed/],
  ['{"a":{"\\u005f_proto__":1}}', '/a/__proto__', /not allowed/],
  ['{"constructor":{"prototype":{"x":1}}}', '/constructor/prototype', /not allowed/],
  ['{"a":1,"a":1}', '/a', /more than once/],
  ['{"a":1,"\\u0061":2}', '/a', /more than once/],
  ['[{"x":{"~/":1,"y":[{}],"~/":2}}]', '/0/x/~0~1', /more than once/],
  [deep(65), '', /deeper than 64/],
  ['{"a":'.repeat(65) + 1 + '}'.repeat(65), '', /deeper than 64/],
];

describe('parseJson', () => {
  it('takes every JSON value as it is, however it is spaced', () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8, stringUnit: 'binary' }), fc.constantFrom(0, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        if (/\\u0000|\\ud|"__proto__"|"prototype"/.test(text)) return;
        assert.deepStrictEqual(parse(text), { ok: true, value: JSON.parse(text) });
      }),
    ));

  it('takes every number that a double writes', () =>
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const expected = { ok: true, value: [JSON.parse(JSON.stringify(value))] };
        assert.deepStrictEqual(parse(`[${JSON.stringify(value)}]`), expected);
      }),
    ));

  it('refuses integers exactly when they would lose their value', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), (integer) => {
        assert.equal(parse(`{"n":${integer}}`).ok, String(Number(integer)) === String(integer));
      }),
    ));

  it('refuses a member given twice wherever it stands, and names it', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (members) => {
        const text = JSON.stringify(members);
        if (/\\u|"__proto__"|"prototype"/.test(text)) return;
        const first = JSON.stringify(members, Object.keys(members).slice(0, 1)).slice(1, -1);
        const answer = parse(`[${text.slice(0, -1)},${first}}]`);
        assert.ok(!answer.ok);
        const name = Object.keys(members)[0]!.replaceAll('~', '~0').replaceAll('/', '~1');
        assert.deepEqual(answer.errors, [{ detail: 'The member is given more than once.', pointer: `/0/${name}` }]);
      }),
    ));

  it('refuses, and says where', () => {
    for (const [text, pointer, detail] of refused) {
      const answer = parse(text);
      assert.ok(!answer.ok, text);
      assert.equal(answer.errors.length, 1, text);
      assert.equal(answer.errors[0]?.pointer, pointer, text);
      assert.match(answer.errors[0]?.detail ?? '', detail, text);
    }
  });

  it('takes what only looks suspicious', () => {
    for (const text of [
      '{"a":"\\\\u0000 : {}[]"}',
      '"\\ud83d\\ude00"',
      '{"a":{"x":1},"b":{"x":1}}',
      '{"constructor":1,"prototype":2}',
      '["a","a",{"a":"a"}]',
      '[1e3, 1.50E+2, 0.12345678901234567890, 9007199254740991, -0, 1e-400, 1000000000000000000000000]',
      '{"\\u0627":"\\u0628","n":[{},{}],"m":{"\\u0627":1}}',
      '{}',
      deep(64),
      'null',
    ]) {
      assert.deepEqual(parse(text), { ok: true, value: JSON.parse(text) }, text);
    }
  });

  it('skips a byte order mark, once, and refuses bytes that are not UTF-8', () => {
    assert.deepEqual(parse('\ufeff{"a":1}'), { ok: true, value: { a: 1 } });
    assert.equal(parse('\ufeff\ufeff{}').ok, false);
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0x80, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xfe, 0xff, 0, 0x31],
    ]) {
      assert.equal(parseJson(Buffer.from(bytes)).ok, false, String(bytes));
    }
  });

  it('says nothing of the body when it is malformed, and pollutes no prototype', () => {
    assert.ok(!JSON.stringify(parse('{"phone":"+96891234567" "secret"}')).includes('secret'));
    parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });
});
