import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hasShare } from './has-share.ts';

it('one key comes to hold three quarters of the places, the next three quarters of the rest, and none takes the last', () => {
  const places = 2_000;
  const held: number[] = [];
  const taken = () => held.reduce((sum, own) => sum + own, 0);
  for (let key = 0; key < 6; key++) {
    held.push(0);
    while (hasShare({ places, taken: taken(), own: held[key]! })) held[key]!++;
  }
  assert.deepEqual(held, [1_500, 375, 93, 24, 6, 1]);
  assert.equal(hasShare({ places, taken: 1_999, own: 0 }), true);
  assert.equal(hasShare({ places, taken: 2_000, own: 0 }), false);
});

it('a key alone gets the only place', () => {
  assert.equal(hasShare({ places: 1, taken: 0, own: 0 }), true);
});
