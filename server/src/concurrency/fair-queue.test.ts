import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fairQueue } from './fair-queue.ts';

/** Work that ends when the test ends it. The first letter of its name is its key. */
function startWork(limits: Partial<Parameters<typeof fairQueue>[0]> = {}) {
  const refusal = () => new Error('refused');
  const queue = fairQueue({
    ...{ at_once: 1, waiting_per_key: 2, waiting_in_all: 4, patience_ms: 60_000, refusal },
    ...limits,
  });
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  return {
    begun,
    run: (name: string, gone?: AbortSignal) =>
      queue({ key: name[0]!, gone }, () => {
        begun.push(name);
        return new Promise<string>((resolve) => endings.set(name, () => resolve(name)));
      }),
    async end(name: string) {
      endings.get(name)!();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** Ends with this turn, whether the call does or not. */
const atOnce = (call: Promise<unknown>) =>
  Promise.race([call, new Promise((resolve) => setImmediate(resolve, 'it waits'))]);

describe('fairQueue', () => {
  it('gives each key a turn, whoever came first', async () => {
    const { begun, run, end } = startWork();
    const results = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => run(name));
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name);
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3', 'b2']);
    assert.deepEqual(await Promise.all(results), ['a1', 'a2', 'a3', 'b1', 'b2']);
  });

  it('refuses what waits beyond the bound of a key, and of all', async () => {
    const { begun, run, end } = startWork();
    const kept = ['a1', 'a2', 'a3'].map((name) => run(name));
    await assert.rejects(atOnce(run('a4')), /refused/);
    kept.push(...['b1', 'c1'].map((name) => run(name)));
    await assert.rejects(run('d1'), /refused/);
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
    await Promise.all(kept);
    assert.equal(begun.length, 5);
    const [free, next] = [run('d2'), run('d3')];
    await end('d2');
    await end('d3');
    assert.deepEqual(await Promise.all([free, next]), ['d2', 'd3']);
  });

  it('never begins what nobody waits for any more, and gives its place away', async () => {
    const { begun, run, end } = startWork();
    const left = new AbortController();
    const first = run('a1');
    const gone = [run('a2', left.signal), run('a3', left.signal)];
    left.abort();
    for (const one of gone) await assert.rejects(atOnce(one), /refused/);
    await assert.rejects(run('b1', left.signal), /refused/);
    const [second, third] = [run('a4'), run('a5')];
    for (const name of ['a1', 'a4', 'a5']) await end(name);
    await Promise.all([first, second, third]);
    assert.deepEqual(begun, ['a1', 'a4', 'a5']);
  });

  it('refuses what waits longer than its patience, and runs the rest', async () => {
    const { begun, run, end } = startWork({ patience_ms: 1 });
    const first = run('a1');
    await assert.rejects(run('b1'), /refused/);
    await end('a1');
    await first;
    assert.deepEqual(begun, ['a1']);
  });

  it('gives a place back where the work fails', async () => {
    const { run, end } = startWork();
    const refusal = () => new Error('refused');
    const queue = fairQueue({ at_once: 1, waiting_per_key: 1, waiting_in_all: 1, patience_ms: 60_000, refusal });
    await assert.rejects(
      queue({ key: 'a' }, () => Promise.reject(new Error('failed'))),
      /failed/,
    );
    assert.equal(await queue({ key: 'a' }, () => Promise.resolve('ran')), 'ran');
    const only = run('a1');
    await end('a1');
    await only;
  });
});
