import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deliverChanges } from './deliver-changes.ts';
import type { FedChange } from './feed.ts';
import type { LiveStream } from './live-stream.ts';
import type { LiveMembership } from './rights.ts';
import type { ToldRow } from './told-rows.ts';

const workspace_id = '00000000-0000-4000-8000-000000000000';
const user_id = '11111111-0000-4000-8000-000000000000';
const other_id = '22222222-0000-4000-8000-000000000000';
const team_id = '33333333-0000-4000-8000-000000000000';

type Member = Partial<LiveMembership>;

function fedFrom(changes: readonly Partial<FedChange>[]): FedChange[] {
  const unnamed = { object_id: null, for_user_id: null, former_assignee_id: null, former_team_id: null };
  const now = { details: null, is_present: true, assignee_id: null, team_id: null, holders: null };
  const place = { workspace_id, kind: 'conversation', conversation_id: workspace_id };
  return changes.map((change, n) => ({ ...unnamed, ...now, ...place, position: n + 1, ...change }));
}

/** What is written to a stream of each of these people. */
function written(
  members: readonly Member[],
  changes: readonly Partial<FedChange>[],
  { position = 0, rowsOf = () => undefined }: { position?: number; rowsOf?: () => ToldRow[] | undefined } = {},
): string[] {
  const texts = members.map(() => '');
  const streams = members.map((member, n) => {
    const memberships = [{ workspace_id, user_id, role: 'owner', team_ids: null, ...member }];
    return { memberships, position, write: (text: string) => (texts[n] += text) } as unknown as LiveStream;
  });
  deliverChanges(fedFrom(changes), { streams, idOf: String, rowsOf });
  return texts;
}

/** The positions of what a stream of an owner is told of these changes. */
function told(changes: readonly Partial<FedChange>[], position = 0): number[] {
  return [...written([{}], changes, { position })[0]!.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
}

/** The kinds of the events that each of these people is told of the changes, with whose a row is. */
function kindsFor(
  members: readonly Member[],
  changes: readonly Partial<FedChange>[],
  row?: Partial<ToldRow>,
): string[][] {
  const own = new Map([user_id, other_id].map((of) => [of, { of: of.slice(0, 2) }]));
  const shared = { conversation: { id: workspace_id } };
  const whole = { contact_id: 'c', assignee_id: null, team_id: null, message_id: null, is_snoozed: false, shared, own };
  const rows = row && ([{ ...whole, ...row }] as unknown as ToldRow[]);
  return written(members, changes, { rowsOf: () => rows }).map((text) =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => {
      const { kind, row } = JSON.parse(data!);
      return row ? `row of ${row.of}` : kind;
    }),
  );
}

it('equal changes are told once, at the place of the last', () => {
  assert.deepEqual(told([{}, {}, { kind: 'note' }, {}]), [3, 4]);
});

it('a change that may take a conversation out of a view is told each time', () => {
  assert.deepEqual(told([{ former_assignee_id: user_id }, { former_team_id: user_id }, {}, {}]), [1, 2, 4]);
});

it('a change that tells a value stands for no other change of the conversation', () => {
  assert.deepEqual(told([{}, { details: { unread_count: 1 } }, { details: { unread_count: 0 } }]), [1, 3]);
});

it('a kind of a newer version is told to nobody', () => {
  assert.deepEqual(told([{ kind: 'of tomorrow' }, {}]), [2]);
});

it('a stream is told nothing that it has, and nothing of another workspace', () => {
  assert.deepEqual(told([{}, { kind: 'note' }, { kind: 'message' }], 2), [3]);
  assert.deepEqual(told([{ workspace_id: user_id }]), []);
});

it('a change of one person, and each row, is told to its person, also among people of equal rights', () => {
  const both = [{}, { user_id: other_id }];
  assert.deepEqual(kindsFor(both, [{ kind: 'mention', for_user_id: other_id }]), [[], ['mention']]);
  const rows = kindsFor([...both, { user_id: 'no row was read for them' }], [{ kind: 'message' }], {});
  assert.deepEqual(rows, [['row of 11', 'message'], ['row of 22', 'message'], ['message']]);
});

it('a row is told once, and not for the status of an earlier message', () => {
  const statuses = [workspace_id, user_id].map((object_id) => ({ kind: 'status', object_id }));
  assert.deepEqual(kindsFor([{}], statuses.slice(1), { message_id: workspace_id }), [['status']]);
  const all = [{ kind: 'message' }, ...statuses];
  assert.deepEqual(kindsFor([{}], all, { message_id: workspace_id }), [['row of 11', 'message', 'status', 'status']]);
  assert.deepEqual(kindsFor([{}], statuses, { message_id: user_id }), [['row of 11', 'status', 'status']]);
});

it('who sees own teams alone is told of their conversations alone, as they are told of no erased one', () => {
  const role = 'agent' as const;
  const members: Member[] = [
    { role, team_ids: [team_id] },
    { role, team_ids: [], user_id: 'of another team' },
    { role, user_id: other_id },
  ];
  const change = { kind: 'message', team_id };
  assert.deepEqual(kindsFor(members, [change]), [['message'], [], ['message']]);
  assert.deepEqual(kindsFor(members, [{ ...change, is_present: false }]), [[], [], ['removed']]);
  // The row was read later than the change, and is another team's by then.
  assert.deepEqual(kindsFor(members, [change], { team_id: other_id }), [['message'], [], ['row of 22', 'message']]);
});

it('a kind is told to those whose role may read it, and of all teams to nobody who sees own teams alone', () => {
  const roles = ['agent', 'supervisor'] as const;
  const members = [null, []].flatMap((team_ids) => roles.map((role) => ({ role, team_ids })));
  assert.deepEqual(kindsFor(members, [{ kind: 'broadcast', conversation_id: null }]), [[], ['broadcast'], [], []]);
});

it('a contact is told to who has a conversation of it, or where it has none', () => {
  const members: Member[] = [{}, { role: 'agent', team_ids: [team_id] }];
  const contact = { kind: 'contact', conversation_id: null };
  for (const [holders, isTold] of [
    [null, true],
    [[], true],
    [[[null, team_id]], true],
    [[[user_id, null]], true],
    [[[other_id, null]], false],
  ] as [FedChange['holders'], boolean][]) {
    const expected = [['contact'], isTold ? ['contact'] : []];
    assert.deepEqual(kindsFor(members, [{ ...contact, holders }]), expected, JSON.stringify(holders));
  }
});
