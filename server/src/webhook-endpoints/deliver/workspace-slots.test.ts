import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createWorkspaceSlots } from './workspace-slots.ts';

it('gives a workspace its slots and no more, however many endpoints it has', () => {
  const slots = createWorkspaceSlots(10);
  const taken = Array.from({ length: 30 }, (_, n) => slots.acquire('one', `endpoint-${n}`)).filter(Boolean);
  assert.equal(taken.length, 10);
  assert.equal(slots.acquire('other', 'endpoint'), true);
});

it('leaves a workspace with half of its slots free unlimited', () => {
  const slots = createWorkspaceSlots(10);
  for (let n = 0; n < 5; n++) slots.acquire('one', 'a');
  assert.deepEqual([...slots.narrowed()], []);
});

it('divides free slots between the endpoints of a workspace near its limit, least recently served first', () => {
  const slots = createWorkspaceSlots(10);
  for (let n = 0; n < 6; n++) slots.acquire('one', 'a');
  slots.acquire('one', 'b');
  assert.deepEqual(
    [...slots.narrowed()],
    [
      ['a', 8],
      ['b', 2],
    ],
  );
  for (const endpoint of ['c', 'd', 'a']) slots.acquire('one', endpoint);
  assert.equal(slots.acquire('one', 'e'), false);
  assert.deepEqual(
    new Map(slots.narrowed()),
    new Map([
      ['b', 1],
      ['c', 1],
      ['d', 1],
      ['a', 7],
      ['e', 0],
    ]),
  );
  slots.release('one', 'a');
  assert.equal(new Map(slots.narrowed()).get('b'), 2);
});

it('forgets a workspace that has nothing under way', () => {
  const slots = createWorkspaceSlots(2);
  slots.acquire('one', 'a');
  slots.acquire('one', 'a');
  slots.release('one', 'a');
  slots.release('one', 'a');
  assert.deepEqual([...slots.narrowed()], []);
  assert.equal(slots.acquire('one', 'a'), true);
});
