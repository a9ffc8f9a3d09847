import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { offerUndo, performUndoable, undoStore } from './undo.ts';

describe('the key of undo', () => {
  it('takes back the older action again after the service refused the newer one', async () => {
    const taken: string[] = [];
    const end = offerUndo(() => taken.push('older'));
    const refused = performUndoable(async () => {
      undoStore.get()!();
      throw new Error('refused');
    });
    await assert.rejects(refused);
    assert.deepEqual(taken, [], 'the press was for the newer action');
    undoStore.get()!();
    assert.deepEqual(taken, ['older']);
    end();
    assert.equal(undoStore.get(), undefined);
  });

  it('does nothing after a refusal, where the offer of the older one ended meanwhile', async () => {
    const end = offerUndo(() => assert.fail('the offer ended'));
    const refused = performUndoable(async () => {
      end();
      throw new Error('refused');
    });
    await assert.rejects(refused);
    assert.equal(undoStore.get(), undefined);
  });

  it('waits for an action that is under way, and takes it back then', async () => {
    const taken: string[] = [];
    let end = () => {};
    await performUndoable(async () => {
      undoStore.get()!();
      end = offerUndo(() => taken.push('newer'));
    });
    assert.deepEqual(taken, ['newer']);
    end();
  });
});
