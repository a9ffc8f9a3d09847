import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { mergeOrder } from './merge-order.ts';

const names = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 });

describe('placeInOrder', () => {
  it('keeps what is given in its order, what is left out in its own, and loses nothing', () =>
    fc.assert(
      fc.property(names, names, (standing, given) => {
        const placed = mergeOrder(standing, given);
        assert.deepEqual(new Set(placed), new Set([...standing, ...given]));
        assert.equal(placed.length, new Set(placed).size);
        assert.deepEqual(
          placed.filter((name) => given.includes(name)),
          given,
        );
        const others = standing.filter((name) => !given.includes(name));
        assert.deepEqual(
          placed.filter((name) => !given.includes(name)),
          others,
        );
        assert.deepEqual(mergeOrder(placed, given), placed);
      }),
    ));

  it('puts a new name beside its neighbours in the file, and one without neighbours last', () => {
    assert.deepEqual(mergeOrder(['a', 'b'], ['a', 'x', 'b']), ['a', 'x', 'b']);
    assert.deepEqual(mergeOrder(['a', 'b'], ['x', 'b']), ['a', 'x', 'b']);
    assert.deepEqual(mergeOrder(['a', 'b'], ['x']), ['a', 'b', 'x']);
    assert.deepEqual(mergeOrder(['a', 'b', 'c'], ['b', 'x']), ['a', 'b', 'x', 'c']);
  });

  it('leaves the places of names that the file leaves out', () => {
    assert.deepEqual(mergeOrder(['a', 'b', 'c'], ['c', 'a']), ['c', 'b', 'a']);
    assert.deepEqual(mergeOrder(['a', 'b', 'c'], ['a', 'c']), ['a', 'b', 'c']);
  });
});
