import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTogether } from './read-together.ts';

/** Reads that are answered when they are told to be; each answer says how many had begun. */
function stage() {
  const ask = readTogether<string>();
  const begun: { name: string; answer: () => void; fail: () => void }[] = [];
  const read = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      const answer = `${name} ${begun.length + 1}`;
      begun.push({ name, answer: () => resolve(answer), fail: () => reject(new Error(`${answer} failed`)) });
    });
  return { begun, ask: (name: string) => ask(name, read(name)) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('reads that ask for the same', () => {
  it('are answered by the next one, which begins when the one under way has ended', async () => {
    const { begun, ask } = stage();
    const first = ask('a');
    const others = ['a', 'a', 'a'].map(ask);
    const elsewhere = ask('b');
    await settle();
    assert.deepEqual(
      begun.map(({ name }) => name),
      ['a', 'b'],
    );
    begun[0]!.answer();
    assert.equal(await first, 'a 1');
    await settle();
    const late = ask('a');
    assert.equal(begun.length, 3, 'the late one does not join what has begun');
    begun[2]!.answer();
    assert.deepEqual(await Promise.all(others), ['a 3', 'a 3', 'a 3']);
    await settle();
    begun[3]!.answer();
    begun[1]!.answer();
    assert.equal(await late, 'a 4');
    assert.equal(await elsewhere, 'b 2');
  });

  it('wait for no slow one longer than 20 ms', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { begun, ask } = stage();
    const slow = ask('a');
    const next = ask('a');
    t.mock.timers.tick(19);
    await settle();
    assert.equal(begun.length, 1);
    t.mock.timers.tick(1);
    await settle();
    assert.equal(begun.length, 2);
    const third = ask('a');
    begun[1]!.answer();
    assert.equal(await next, 'a 2');
    await settle();
    begun[2]!.answer();
    assert.equal(await third, 'a 3', 'it waited for the second alone');
    begun[0]!.answer();
    assert.equal(await slow, 'a 1');
  });

  it('fail together, and not those who come after', async () => {
    const { begun, ask } = stage();
    const first = ask('a');
    const others = ['a', 'a'].map(ask);
    begun[0]!.fail();
    await assert.rejects(first, /a 1 failed/);
    await settle();
    begun[1]!.fail();
    for (const other of others) await assert.rejects(other, /a 2 failed/);
    await settle();
    const after = ask('a');
    begun[2]!.answer();
    assert.equal(await after, 'a 3');
  });
});
