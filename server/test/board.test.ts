import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { BoardCounts, InboxRow } from '@majlis/console-api';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let owner: Member;
let limited: Member;
let lead: string;
let won: string;
/** By their names in this file. */
const ids = new Map<string, string>();

before(async () => {
  workspace = await majlis.workspace({ stages: [{ name: 'Lead' }, { name: 'Won' }] });
  [lead, won] = workspace.applied.stages.map(({ id }: { id: string }) => id);
  owner = await joinWorkspace(majlis, workspace);
  limited = await joinWorkspace(majlis, workspace, { role: 'agent' });
  await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
  await make('lead 1', { stage_id: lead });
  await make('lead 2', { stage_id: lead, assignee_id: owner.user_id });
  await make('lead 3', { stage_id: lead, assignee_id: limited.user_id });
  await make('none 1', {});
  await make('won 1', { stage_id: won });
  await make('closed', { stage_id: lead });
  await owner.at('POST', `/conversations/${ids.get('closed')}/close`, {});
  await make('snoozed', { stage_id: lead });
  await owner.at('POST', `/conversations/${ids.get('snoozed')}/snooze`, { until: '2030-01-01T00:00:00Z' });
});

async function make(
  name: string,
  { stage_id, assignee_id = null }: { stage_id?: string; assignee_id?: string | null },
) {
  const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
  ids.set(name, conversation_id);
  const path = `/conversations/${conversation_id}`;
  await owner.at('POST', `${path}/assign`, { assignee_id });
  if (stage_id) assert.equal((await owner.at('PUT', `${path}/stage`, { stage_id })).status, 200);
}

const nameOf = (row: InboxRow) => [...ids].find(([, id]) => id === row.conversation.id)?.[0];

async function column(member: Member, stage: string, query = '') {
  const { status, body } = await member.at('GET', `/board/${stage}${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return { names: (body.data as InboxRow[]).map(nameOf), next: body.next_cursor as string | undefined };
}

async function counts(member: Member, query = ''): Promise<number[]> {
  const { stages } = (await member.at('GET', `/board${query}`)).body as BoardCounts;
  assert.deepEqual(
    stages.map(({ stage_id }) => stage_id),
    ['none', lead, won],
  );
  return stages.map(({ count }) => count);
}

describe('the board', () => {
  it('has the open conversations of each stage, the latest first, and their number', async () => {
    assert.deepEqual((await column(owner, lead)).names, ['lead 3', 'lead 2', 'lead 1']);
    assert.deepEqual((await column(owner, won)).names, ['won 1']);
    assert.deepEqual((await column(owner, 'none')).names, ['none 1']);
    assert.deepEqual(await counts(owner), [1, 3, 1]);
  });

  it('comes in pages', async () => {
    const first = await column(owner, lead, '?limit=2');
    assert.deepEqual(first.names, ['lead 3', 'lead 2']);
    const second = await column(owner, lead, `?limit=2&cursor=${first.next}`);
    assert.deepEqual([second.names, second.next], [['lead 1'], undefined]);
    const other = await owner.at('GET', `/board/${won}?cursor=${first.next}`);
    assert.equal(other.status, 422);
  });

  it('shows the own ones alone on demand', async () => {
    assert.deepEqual((await column(owner, lead, '?assignee=me')).names, ['lead 2']);
    assert.deepEqual(await counts(owner, '?assignee=me'), [0, 1, 0]);
    assert.equal((await owner.at('GET', '/board?assignee=all')).status, 422);
  });

  it('shows an agent who sees own teams alone nothing else', async () => {
    assert.deepEqual((await column(limited, lead)).names, ['lead 3']);
    assert.deepEqual(await counts(limited), [0, 1, 0]);
  });

  it('knows no other stage', async () => {
    for (const stage of ['x', ids.get('lead 1')!.replace(/^\w+_/, '')]) {
      assert.equal((await owner.at('GET', `/board/${stage}`)).status, 404, stage);
    }
  });
});
