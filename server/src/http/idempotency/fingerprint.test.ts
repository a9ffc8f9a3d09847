import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { fingerprint } from './fingerprint.ts';

const of = (text: string) => fingerprint(JSON.parse(text)).toString('hex');

describe('fingerprint', () => {
  it('is the SHA-256 of the canonical form', () => {
    assert.equal(of('{ }'), '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
    assert.equal(fingerprint(undefined).length, 32);
  });

  it('is equal for equal values, whatever the order of members and the white space', () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        assert.deepEqual(fingerprint(JSON.parse(JSON.stringify(reversed(value), null, 2))), fingerprint(value));
      }),
    ));

  it('is equal for two spellings of one value', () => {
    assert.equal(of('{"a":1.0,"b":"\\u0061"}'), of('{"b":"a","a":1}'));
    assert.equal(of('[1e2]'), of('[100]'));
  });

  it('differs where values differ', () => {
    const bodies = [
      '{}',
      '[]',
      'null',
      '""',
      '{"a":1}',
      '{"a":"1"}',
      '{"a":null}',
      '[1,2]',
      '[2,1]',
      '"é"',
      '"e\\u0301"',
    ];
    assert.equal(new Set([fingerprint(undefined).toString('hex'), ...bodies.map(of)]).size, bodies.length + 1);
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)]);
  return Object.fromEntries(members.reverse());
}
