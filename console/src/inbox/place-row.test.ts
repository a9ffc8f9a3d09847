import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LiveRow } from '@majlis/console-api';
import fc from '@majlis/testing/fast-check';
import { belongsTo, type Place, placeIn } from './place-row.ts';

const minute = (n: number) => new Date(n * 60_000).toISOString();

describe('a told row', () => {
  it('leaves the list in the order of a fresh reading, down to where it was read', () => {
    const arbitraryRow = fc.record({ id: fc.constantFrom(...'abcdefgh'), at: fc.nat(6), belongs: fc.boolean() });
    const holds = fc.property(fc.array(arbitraryRow), fc.option(fc.nat(6), { nil: undefined }), (told, to) => {
      const places = new Map<string, Place>();
      const members = new Set<string>();
      const bottom: Place | undefined = to === undefined ? undefined : [minute(to), 'd'];
      let ids: readonly string[] = [];
      for (const { id, at, belongs } of told) {
        places.set(id, [minute(at), id]);
        if (belongs) members.add(id);
        else members.delete(id);
        const move = { id, at: belongs ? places.get(id) : undefined, bottom };
        ids = placeIn(ids, move, (one) => places.get(one))!;
      }
      const inOrder = [...members]
        .map((id) => places.get(id)!)
        .sort(([a, m], [b, n]) => compare(b, a) || compare(n, m));
      const read = inOrder.filter(([at, id]) => !bottom || compare(at, bottom[0]) || compare(id, bottom[1]) >= 0);
      const listed = bottom ? read.filter(([at]) => compare(at, bottom[0]) >= 0) : read;
      assert.deepEqual(
        ids,
        listed.map(([, id]) => id),
      );
    });
    fc.assert(holds);
  });

  it('has no place beside one whose place is not known', () => {
    const move = { id: 'b', at: [minute(1), 'b'] as const, bottom: undefined };
    assert.equal(
      placeIn(['a'], move, () => undefined),
      undefined,
    );
  });

  const told = (conversation: object, is_snoozed = false) => ({ is_snoozed, row: { conversation } }) as LiveRow;
  const open = { status: 'open', assignee_id: 'usr_me', team_id: 'team_a' };
  const cases: [string, LiveRow, Record<string, boolean>][] = [
    ['mine', told(open), { mine: true, unassigned: false, all: true, closed: false, 'team:team_a': true }],
    ['of another', told({ ...open, assignee_id: 'usr_x' }), { mine: false, unassigned: false, all: true }],
    ['of nobody', told({ status: 'open' }), { mine: false, unassigned: true, all: true, 'team:team_a': false }],
    ['snoozed', told(open, true), { mine: false, all: false, closed: false, 'team:team_a': false }],
    ['closed', told({ ...open, status: 'closed' }, true), { mine: false, all: false, closed: true }],
  ];
  for (const [name, row, views] of cases) {
    it(`that is ${name} stands where the service lists it`, () => {
      for (const [view, belongs] of Object.entries(views)) {
        assert.equal(belongsTo(view, row, 'usr_me'), belongs, view);
      }
    });
  }

  it('says nothing of a view whose order or rule the service alone has', () => {
    for (const view of ['mentions', 'snoozed', 'saved:x', 'filter:q=a'] as const) {
      assert.equal(belongsTo(view, told(open), 'usr_me'), undefined);
    }
  });
});

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
