import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEntities } from './entities.ts';

describe('a reading', () => {
  it('that began before an own change leaves the change, and names it', () => {
    const cards = createEntities<{ id: string; stage: string }>();
    cards.put([
      { id: 'a', stage: 'none' },
      { id: 'b', stage: 'none' },
    ]);
    const since = cards.moment();
    cards.putOwn({ id: 'a', stage: 'won' });
    const read = ['a', 'b', 'c'].map((id) => ({ id, stage: 'lead' }));
    assert.deepEqual(cards.putRead(read, since), ['a']);
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => cards.get(id)?.stage),
      ['won', 'lead', 'lead'],
    );
  });

  it('that began after it replaces it', () => {
    const cards = createEntities<{ id: string; stage: string }>();
    cards.putOwn({ id: 'a', stage: 'won' });
    assert.deepEqual(cards.putRead([{ id: 'a', stage: 'lead' }], cards.moment()), []);
    assert.equal(cards.get('a')?.stage, 'lead');
  });
});
