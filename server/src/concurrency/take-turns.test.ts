import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeTurns } from './take-turns.ts';

/** Reads that end when they are told to. */
function stage(at_once: number) {
  const turn = takeTurns(at_once);
  const begun: string[] = [];
  const endings = new Map<string, (error?: Error) => void>();
  return {
    begun,
    read: (workspace_id: string, name: string) =>
      turn(workspace_id, () => {
        begun.push(name);
        return new Promise<string>((resolve, reject) => {
          endings.set(name, (error) => (error ? reject(error) : resolve(name)));
        });
      }),
    async end(name: string, error?: Error) {
      endings.get(name)!(error);
      await settle();
    },
  };
}

async function settle(): Promise<void> {
  for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
}

describe('reads that take turns', () => {
  it('are one at a time of a workspace, and no more than so many in all', async () => {
    const { begun, read, end } = stage(2);
    const results = [read('a', 'a1'), read('a', 'a2'), read('b', 'b1'), read('c', 'c1')];
    await settle();
    assert.deepEqual(begun, ['a1', 'b1']);
    await end('b1');
    assert.deepEqual(begun, ['a1', 'b1', 'c1']);
    await end('c1');
    assert.deepEqual(begun, ['a1', 'b1', 'c1'], 'the second of a workspace waits for its first');
    await end('a1');
    await end('a2');
    assert.deepEqual(await Promise.all(results), ['a1', 'a2', 'b1', 'c1']);
  });

  it('pass on their errors, and the turn', async () => {
    const { read, end } = stage(1);
    const failed = assert.rejects(read('a', 'a1'), /broken/);
    const next = read('a', 'a2');
    await settle();
    await end('a1', new Error('broken'));
    await failed;
    await end('a2');
    assert.equal(await next, 'a2');
  });
});
