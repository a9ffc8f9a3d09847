import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deliverChanges } from './deliver-changes.ts';
import type { FedChange } from './feed.ts';
import type { LiveStream } from './live-stream.ts';

const workspace_id = '00000000-0000-4000-8000-000000000000';
const user_id = '11111111-0000-4000-8000-000000000000';

/** The positions of what a stream of an owner is told of these changes. */
function told(changes: readonly Partial<FedChange>[], position = 0): number[] {
  const written: string[] = [];
  const memberships = [{ workspace_id, user_id, role: 'owner', team_ids: null }];
  const stream = { memberships, position, write: (text: string) => written.push(text) } as unknown as LiveStream;
  const unnamed = { object_id: null, for_user_id: null, former_assignee_id: null, former_team_id: null };
  const now = { details: null, is_present: true, assignee_id: null, team_id: null, holders: null };
  const place = { workspace_id, kind: 'conversation', conversation_id: workspace_id };
  const fed = changes.map((change, n) => ({ ...unnamed, ...now, ...place, position: n + 1, ...change }));
  deliverChanges(fed, { streams: [stream], idOf: String, rowsOf: () => undefined });
  return [...written.join('').matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
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
