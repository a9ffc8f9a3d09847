import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTogether } from './single-flight.ts';

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
  it('are two at once, and who comes meanwhile is answered by the next one, which begins when one has ended', async () => {
    const { begun, ask } = stage();
    const [first, second] = [ask('a'), ask('a')];
    const others = ['a', 'a', 'a'].map(ask);
    const elsewhere = ask('b');
    await settle();
    assert.deepEqual(
      begun.map(({ name }) => name),
      ['a', 'a', 'b'],
    );
    begun[1]!.answer();
    assert.equal(await second, 'a 2');
    await settle();
    assert.equal(begun.length, 4);
    const late = ask('a');
    await settle();
    assert.equal(begun.length, 4, 'the late one does not join what has begun');
    begun[3]!.answer();
    assert.deepEqual(await Promise.all(others), ['a 4', 'a 4', 'a 4']);
    await settle();
    begun[4]!.answer();
    assert.equal(await late, 'a 5');
    begun[0]!.answer();
    begun[2]!.answer();
    assert.deepEqual([await first, await elsewhere], ['a 1', 'b 3']);
  });

  it('wait for no slow one longer than 20 ms', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { begun, ask } = stage();
    const slow = [ask('a'), ask('a')];
    const next = ask('a');
    t.mock.timers.tick(19);
    await settle();
    assert.equal(begun.length, 2);
    t.mock.timers.tick(1);
    await settle();
    assert.equal(begun.length, 3);
    begun[2]!.answer();
    assert.equal(await next, 'a 3');
    for (const { answer } of begun) answer();
    assert.deepEqual(await Promise.all(slow), ['a 1', 'a 2']);
  });

  it('fail together, and not those who come after', async () => {
    const { begun, ask } = stage();
    const [first, second] = [ask('a'), ask('a')];
    const others = ['a', 'a'].map(ask);
    begun[0]!.fail();
    await assert.rejects(first!, /a 1 failed/);
    await settle();
    begun[2]!.fail();
    for (const other of others) await assert.rejects(other, /a 3 failed/);
    const after = ask('a');
    begun[3]!.answer();
    begun[1]!.answer();
    assert.deepEqual([await after, await second], ['a 4', 'a 2']);
  });

  it('lose no place and win none', async () => {
    const { begun, ask } = stage();
    for (let time = 1; time <= 3; time++) {
      const asked = ['a', 'a', 'a', 'a'].map(ask);
      await settle();
      assert.equal(begun.length, 2);
      for (const { answer } of begun) answer();
      await settle();
      for (const { answer } of begun) answer();
      await Promise.all(asked);
      begun.length = 0;
    }
  });
});
