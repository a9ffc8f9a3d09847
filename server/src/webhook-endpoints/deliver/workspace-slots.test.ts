import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createWorkspaceSlots } from './workspace-slots.ts';

it('gives a workspace its places and no more, however many endpoints it has', () => {
  const shares = createWorkspaceSlots(10);
  const taken = Array.from({ length: 30 }, (_, n) => shares.acquire('one', `endpoint-${n}`)).filter(Boolean);
  assert.equal(taken.length, 10);
  assert.equal(shares.acquire('other', 'endpoint'), true);
});

it('says nothing of a workspace that has half of its places free', () => {
  const shares = createWorkspaceSlots(10);
  for (let n = 0; n < 5; n++) shares.acquire('one', 'a');
  assert.deepEqual([...shares.narrowed()], []);
});

it('divides what is free between the endpoints of a crowded workspace, those first that were served longest ago', () => {
  const shares = createWorkspaceSlots(10);
  for (let n = 0; n < 6; n++) shares.acquire('one', 'a');
  shares.acquire('one', 'b');
  assert.deepEqual(
    [...shares.narrowed()],
    [
      ['a', 8],
      ['b', 2],
    ],
  );
  for (const endpoint of ['c', 'd', 'a']) shares.acquire('one', endpoint);
  assert.equal(shares.acquire('one', 'e'), false);
  assert.deepEqual(
    new Map(shares.narrowed()),
    new Map([
      ['b', 1],
      ['c', 1],
      ['d', 1],
      ['a', 7],
      ['e', 0],
    ]),
  );
  shares.release('one', 'a');
  assert.equal(new Map(shares.narrowed()).get('b'), 2);
});

it('forgets a workspace that has nothing under way', () => {
  const shares = createWorkspaceSlots(2);
  shares.acquire('one', 'a');
  shares.acquire('one', 'a');
  shares.release('one', 'a');
  shares.release('one', 'a');
  assert.deepEqual([...shares.narrowed()], []);
  assert.equal(shares.acquire('one', 'a'), true);
});
