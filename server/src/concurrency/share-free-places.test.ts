import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { shareFreePlaces } from './share-free-places.ts';

/** How many places the key gets that takes all it can. */
function takeAll(places: ReturnType<typeof shareFreePlaces>, key: string): number {
  let count = 0;
  while (places.take(key)) count++;
  return count;
}

describe('places that are shared by what is free', () => {
  it('are all that one key may have while few keys have any', () => {
    const places = shareFreePlaces({ places: 512, each: 32 });
    for (let n = 0; n < 8; n++) assert.equal(takeAll(places, `hanging ${n}`), 32);
    assert.equal(takeAll(places, 'healthy'), 32);
    assert.deepEqual([...places.narrowed()], []);
  });

  it('are never all taken by the keys that hold theirs, up to a fifth as many keys as places', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 64 }), (hanging, each) => {
        const places = shareFreePlaces({ places: 512, each });
        for (let n = 0; n < hanging; n++) takeAll(places, `hanging ${n}`);
        assert.ok(takeAll(places, 'healthy') >= Math.min(each, 2));
        for (const [, most] of places.narrowed()) assert.ok(most < each);
      }),
    ));

  it('come back when they are given', () => {
    const places = shareFreePlaces({ places: 16, each: 4 });
    const count = takeAll(places, 'a');
    for (let n = 0; n < count; n++) places.give('a');
    assert.equal(takeAll(places, 'b'), count);
  });
});
