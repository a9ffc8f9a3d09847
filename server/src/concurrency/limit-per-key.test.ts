import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Refusal } from '../http/reply/refusal.ts';
import { shareReads } from './limit-per-key.ts';

/** Reads that end when they are told to. */
function stage(at_once: number) {
  const share = shareReads(at_once);
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  return {
    begun,
    read: (name: string) =>
      share(name[0]!, () => {
        begun.push(name);
        return new Promise<string>((resolve) => endings.set(name, () => resolve(name)));
      }),
    async end(name: string) {
      endings.get(name)!();
      await settle();
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('reads that share', () => {
  it('are so many of a workspace at once, in the order in which they came', async () => {
    const { begun, read, end } = stage(2);
    const names = ['a1', 'a2', 'a3', 'a4', 'b1'];
    const results = names.map(read);
    assert.deepEqual(begun, ['a1', 'a2', 'b1']);
    await end('b1');
    await end('a2');
    assert.deepEqual(begun.slice(3), ['a3']);
    await end('a3');
    await end('a4');
    await end('a1');
    assert.deepEqual(await Promise.all(results), names);
    const more = ['a5', 'a6', 'a7'].map(read);
    assert.deepEqual(begun.slice(5), ['a5', 'a6'], 'no place was lost and none was won');
    for (const name of ['a5', 'a6', 'a7']) await end(name);
    await Promise.all(more);
  });

  it('give their place on when they fail', async () => {
    const share = shareReads(1);
    const failed = share('a', () => Promise.reject(new Error('broken')));
    const next = share('a', async () => 'next');
    await assert.rejects(failed, /broken/);
    assert.equal(await next, 'next');
  });

  it('are told after a while that they wait in vain', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { begun, read, end } = stage(1);
    void read('a1');
    const late = read('a2');
    t.mock.timers.tick(2_999);
    const soon = read('a3');
    t.mock.timers.tick(1);
    await assert.rejects(late, (error) => error instanceof Refusal && error.status === 503);
    await end('a1');
    assert.deepEqual(begun, ['a1', 'a3']);
    await end('a3');
    assert.equal(await soon, 'a3');
  });
});
