import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { byteBudget } from './byte-budget.ts';

const patience = { ms: 3_000, error: () => new Error('too late') };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Reservations by their names, whose first letter is their key, and those that have their bytes. */
function openBudget(bounds: { in_all: number; per_key: number }) {
  const reserve = byteBudget({ ...bounds, patience });
  const held = new Map<string, () => void>();
  return {
    held: () => [...held.keys()],
    async ask(name: string, bytes: number) {
      void reserve(name[0]!, bytes).then((release) => held.set(name, release));
      await turn();
    },
    async give(name: string) {
      held.get(name)!();
      held.delete(name);
      await turn();
    },
  };
}

describe('a budget of bytes', () => {
  it('lets a key with a full share wait, and not those who came after it', async () => {
    const { held, ask, give } = openBudget({ in_all: 100, per_key: 40 });
    await ask('a1', 40);
    await ask('a2', 30);
    await ask('b1', 40);
    assert.deepEqual(held(), ['a1', 'b1']);
    await ask('b2', 10);
    await ask('c1', 30);
    assert.deepEqual(held(), ['a1', 'b1'], 'the budget has room for 20 alone');
    await give('b1');
    assert.deepEqual(held(), ['a1', 'b2', 'c1'], 'a2, which came first, still waits for its share');
    await give('a1');
    assert.deepEqual(held(), ['b2', 'c1', 'a2']);
  });

  it('takes one up to each bound, and above it alone', async () => {
    const { held, ask, give } = openBudget({ in_all: 100, per_key: 40 });
    await ask('a1', 41);
    await ask('a2', 1);
    assert.deepEqual(held(), ['a1']);
    await give('a1');
    await ask('a3', 39);
    assert.deepEqual(held(), ['a2', 'a3']);
    await ask('b1', 40);
    await ask('c1', 20);
    await ask('d1', 1);
    assert.deepEqual(held(), ['a2', 'a3', 'b1', 'c1']);
    await give('a2');
    assert.deepEqual(held(), ['a3', 'b1', 'c1', 'd1']);
  });

  it('gets bytes back once, however often they are given', async () => {
    const reserve = byteBudget({ in_all: 10, per_key: 10, patience });
    const release = await reserve('a', 6);
    await reserve('b', 4);
    release();
    release();
    await reserve('c', 6);
    let isTaken = false;
    void reserve('d', 1).then(() => {
      isTaken = true;
    });
    await turn();
    assert.equal(isTaken, false);
  });

  it('refuses whoever waits too long, who then takes nothing', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const reserve = byteBudget({ in_all: 10, per_key: 10, patience });
    const release = await reserve('a', 10);
    const late = reserve('b', 10);
    t.mock.timers.tick(2_999);
    const soon = reserve('c', 10);
    t.mock.timers.tick(1);
    await assert.rejects(late, /too late/);
    release();
    await soon;
  });
});
