import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limitPerKey } from './limit-per-key.ts';

/** Work that ends when the test ends it. The first letter of its name is its key. */
function startWork(limits: Parameters<typeof limitPerKey>[0]) {
  const limit = limitPerKey(limits);
  const begun: string[] = [];
  const endings = new Map<string, (error?: Error) => void>();
  return {
    begun,
    run: (name: string) =>
      limit(name[0]!, () => {
        begun.push(name);
        return new Promise<string>((resolve, reject) => {
          endings.set(name, (error) => (error ? reject(error) : resolve(name)));
        });
      }),
    async end(name: string, error?: Error) {
      endings.get(name)!(error);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('limitPerKey', () => {
  it('runs so many calls of a key at once, in the order in which they came', async () => {
    const { begun, run, end } = startWork({ per_key: 2 });
    const names = ['a1', 'a2', 'a3', 'a4', 'b1'];
    const results = names.map(run);
    assert.deepEqual(begun, ['a1', 'a2', 'b1']);
    await end('b1');
    await end('a2');
    assert.deepEqual(begun.slice(3), ['a3']);
    await end('a3');
    await end('a4');
    await end('a1');
    assert.deepEqual(await Promise.all(results), names);
    const more = ['a5', 'a6', 'a7'].map(run);
    assert.deepEqual(begun.slice(5), ['a5', 'a6'], 'no place was lost and none was won');
    for (const name of ['a5', 'a6', 'a7']) await end(name);
    await Promise.all(more);
  });

  it('runs no more than so many in all', async () => {
    const { begun, run, end } = startWork({ per_key: 1, in_all: 2 });
    const results = ['a1', 'a2', 'b1', 'c1'].map(run);
    assert.deepEqual(begun, ['a1', 'b1']);
    await end('b1');
    assert.deepEqual(begun, ['a1', 'b1', 'c1']);
    await end('c1');
    assert.deepEqual(begun, ['a1', 'b1', 'c1'], 'the second of a key waits for its first');
    await end('a1');
    await end('a2');
    assert.deepEqual(await Promise.all(results), ['a1', 'a2', 'b1', 'c1']);
  });

  it('passes on errors, and gives the place to the next call', async () => {
    const { run, end } = startWork({ per_key: 1 });
    const failed = assert.rejects(run('a1'), /broken/);
    const next = run('a2');
    await end('a1', new Error('broken'));
    await failed;
    await end('a2');
    assert.equal(await next, 'a2');
  });

  it('rejects calls that wait too long', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { begun, run, end } = startWork({ per_key: 1, patience: { ms: 3_000, error: () => new Error('too late') } });
    void run('a1');
    const late = run('a2');
    t.mock.timers.tick(2_999);
    const soon = run('a3');
    t.mock.timers.tick(1);
    await assert.rejects(late, /too late/);
    await end('a1');
    assert.deepEqual(begun, ['a1', 'a3']);
    await end('a3');
    assert.equal(await soon, 'a3');
  });
});
