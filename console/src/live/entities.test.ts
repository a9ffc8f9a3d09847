import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEntities } from './entities.ts';

describe('a reading', () => {
  it('that began before a change leaves the change, and names it', () => {
    const cards = createEntities<{ id: string; stage: string }>();
    cards.put([
      { id: 'a', stage: 'none' },
      { id: 'b', stage: 'none' },
    ]);
    const since = cards.moment();
    cards.putChanged({ id: 'a', stage: 'won' });
    const read = ['a', 'b', 'c'].map((id) => ({ id, stage: 'lead' }));
    assert.deepEqual(cards.putRead(read, since), ['a']);
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => cards.get(id)?.stage),
      ['won', 'lead', 'lead'],
    );
  });

  it('that began before an event brought the object whole need not be repeated for it', () => {
    const cards = createEntities<{ id: string; stage: string }>();
    const since = cards.moment();
    assert.equal(cards.putTold({ id: 'a', stage: 'won' }, cards.moment()), true);
    assert.deepEqual(cards.putRead([{ id: 'a', stage: 'lead' }], since), []);
    assert.equal(cards.get('a')?.stage, 'won');
    cards.markChanged('a');
    assert.deepEqual(cards.putRead([{ id: 'a', stage: 'lead' }], since), ['a']);
  });

  it('that began after it replaces it', () => {
    const cards = createEntities<{ id: string; stage: string }>();
    cards.putChanged({ id: 'a', stage: 'won' });
    assert.deepEqual(cards.putRead([{ id: 'a', stage: 'lead' }], cards.moment()), []);
    assert.equal(cards.get('a')?.stage, 'lead');
  });

  it('leaves what a change under way will bring, until that has ended', () => {
    const cards = createEntities<{ id: string; stage: string }>();
    const ends = [cards.putExpected({ id: 'a', stage: 'lead' }), cards.putExpected({ id: 'a', stage: 'won' })];
    for (const end of ends) {
      assert.deepEqual(cards.putRead([{ id: 'a', stage: 'none' }], cards.moment()), ['a']);
      assert.equal(cards.get('a')?.stage, 'won');
      end();
    }
    assert.deepEqual(cards.putRead([{ id: 'a', stage: 'none' }], cards.moment()), []);
    assert.equal(cards.get('a')?.stage, 'none');
  });

  it('that began before a removal does not bring the object back', () => {
    const cards = createEntities<{ id: string; stage: string }>();
    cards.put([{ id: 'a', stage: 'lead' }]);
    const since = cards.moment();
    cards.remove('a');
    assert.deepEqual(cards.putRead([{ id: 'a', stage: 'lead' }], since), ['a']);
    assert.equal(cards.get('a'), undefined);
    assert.deepEqual(cards.putRead([{ id: 'a', stage: 'lead' }], cards.moment()), []);
    assert.equal(cards.get('a')?.stage, 'lead');
  });

  it('that began before a change does not bring the older object back, though the changed one was dropped meanwhile', () => {
    const cards = createEntities<{ id: string; stage: string }>();
    const since = cards.moment();
    cards.putChanged({ id: 'a', stage: 'won' });
    cards.put(Array.from({ length: 1_000 }, (_, n) => ({ id: `other ${n}`, stage: 'lead' })));
    cards.keep((id) => id !== 'a');
    assert.equal(cards.get('a'), undefined);
    assert.deepEqual(cards.putRead([{ id: 'a', stage: 'lead' }], since), ['a']);
    assert.equal(cards.get('a'), undefined);
  });

  it('of the person who left puts nothing before the next one', () => {
    const cards = createEntities<{ id: string; stage: string }>();
    const since = cards.moment();
    cards.clear();
    assert.deepEqual(cards.putRead([{ id: 'a', stage: 'lead' }], since), []);
    assert.equal(cards.get('a'), undefined);
  });
});

describe('what an event brought', () => {
  it('gives way to a change of the person since then, and to one under way', () => {
    const cards = createEntities<{ id: string; stage: string }>();
    const told = cards.moment();
    cards.putChanged({ id: 'a', stage: 'won' });
    assert.equal(cards.putTold({ id: 'a', stage: 'lead' }, told), false);
    assert.equal(cards.get('a')?.stage, 'won');
    const end = cards.putExpected({ id: 'a', stage: 'lost' });
    assert.equal(cards.putTold({ id: 'a', stage: 'lead' }, cards.moment()), false);
    end();
    assert.equal(cards.putTold({ id: 'a', stage: 'lead' }, cards.moment()), true);
    assert.equal(cards.get('a')?.stage, 'lead');
  });
});
