import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { cleanUp, within } from '../src/cleanup.ts';

const undone: string[] = [];
const undo = (name: string) => cleanUp(name, () => undone.push(name));
undo('the file');

describe('a clean-up', () => {
  undo('the suite');
  let shared: Promise<string> | undefined;

  it('is of the test that asks for it', async () => {
    undo('one');
    undo('two');
    shared = pause(1, 'shared');
    await shared;
  });

  it('runs at the end of the test, the latest step first', () => {
    assert.deepEqual(undone, ['two', 'one']);
  });

  it('is of the running test behind a promise of an earlier one', async () => {
    await shared;
    undo('three');
    await pause(20);
    assert.deepEqual(undone, ['two', 'one']);
  });

  it('has run before the next test', () => {
    assert.deepEqual(undone, ['two', 'one', 'three']);
  });
});

it('of a suite runs at its end, and of the file later', () => {
  assert.deepEqual(undone, ['two', 'one', 'three', 'the suite']);
});

it('a wait that is too long fails with the name of the fact', async () => {
  await assert.rejects(within(new Promise(() => {}), 20, 'the bell'), /not within 20 ms: the bell/);
  assert.equal(await within(Promise.resolve(1), 20, 'the bell'), 1);
});
