import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { InboxRow, ViewCounts } from '@majlis/console-api';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { type ReceivedMessage, receiveMessage } from '@majlis/testing/receive-message';
import { schedule, scheduledPath } from '@majlis/testing/schedule-messages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

/** A workspace of its own, with a conversation in each view of Aisha. */
interface Scene {
  workspace: TestWorkspace;
  owner: Member;
  aisha: Member;
  team_id: string;
  names: Map<string, string>;
}

async function setScene(): Promise<Scene> {
  const workspace = await majlis.workspace({
    users: [{ name: 'Omar', email: 'omar@acme.example' }],
    teams: [{ name: 'Sales', members: ['omar@acme.example'] }],
  });
  const owner = await joinWorkspace(majlis, workspace);
  const aisha = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Aisha' });
  const team_id = (await owner.at('GET', '/teams')).body.data[0].id;
  const received: Record<string, ReceivedMessage> = {};
  const act = async (name: string, path: string, body: object) => {
    const { conversation_id } = received[name]!;
    const { status, body: answer } = await owner.at('POST', `/conversations/${conversation_id}/${path}`, body);
    assert.ok(status < 300, `${name} ${path}: ${JSON.stringify(answer)}`);
  };
  const assign = (name: string, assignee_id: string | null, team: string | null = null) =>
    act(name, 'assign', { assignee_id, team_id: team });
  for (const name of ['mine', 'nobodys', 'teams', 'snoozed', 'sooner', 'closed', 'mentioned', 'mine2']) {
    received[name] = await receiveMessage(majlis, workspace, newDigits());
    const isMine = name.startsWith('mine');
    await assign(name, isMine ? aisha.user_id : null, name === 'teams' ? team_id : null);
  }
  await assign('mentioned', owner.user_id);
  await act('mentioned', 'notes', { body: 'Ask @Aisha' });
  const in_ms = (hours: number) => ({ until: new Date(Date.now() + hours * 3_600_000).toISOString() });
  await act('snoozed', 'snooze', in_ms(48));
  await act('sooner', 'snooze', in_ms(24));
  await act('closed', 'close', {});
  const names = new Map(Object.entries(received).map(([name, { conversation_id }]) => [conversation_id, name]));
  return { workspace, owner, aisha, team_id, names };
}

let scene: Scene;
before(async () => {
  scene = await setScene();
});

const rowsOf = async (member: Member, view: string, query = '') => {
  const { status, body } = await member.at('GET', `/inbox?view=${view}${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as { data: InboxRow[]; next_cursor?: string };
};
const namesIn = async (member: Member, view: string) =>
  (await rowsOf(member, view)).data.map(({ conversation }) => scene.names.get(conversation.id)).join(' ');
const counts = async (member: Member) => (await member.at('GET', '/view-counts')).body as ViewCounts;
const idOf = (name: string) => [...scene.names].find(([, one]) => one === name)![0];

/** The thread has lines of changes beside its messages. */
async function lastMessageOf(member: Member, conversation_id: string): Promise<string> {
  const { body } = await member.at('GET', `/conversations/${conversation_id}/thread`);
  return body.data.findLast(({ type }: AnyJson) => type === 'message').id;
}

describe('the inbox', () => {
  it('has each conversation in its views, in their order', async () => {
    const { aisha, team_id } = scene;
    assert.equal(await namesIn(aisha, 'mine'), 'mine2 mine');
    assert.equal(await namesIn(aisha, 'unassigned'), 'teams nobodys');
    assert.equal(await namesIn(aisha, 'all'), 'mine2 mentioned teams nobodys mine');
    assert.equal(await namesIn(aisha, 'mentions'), 'mentioned');
    assert.equal(await namesIn(aisha, 'snoozed'), 'sooner snoozed');
    assert.equal(await namesIn(aisha, 'closed'), 'closed');
    assert.equal(await namesIn(aisha, `team:${team_id}`), 'teams');
    assert.equal(await namesIn(scene.owner, 'mentions'), '');
  });

  it('counts what each view has', async () => {
    const { aisha, team_id } = scene;
    const { saved, ...named } = await counts(aisha);
    assert.deepEqual(saved, []);
    const expected = { mine: 2, unassigned: 2, all: 5, mentions: 1, snoozed: 2, closed: 1, proposals: 0 };
    assert.deepEqual(named, { ...expected, teams: [{ team_id, count: 1 }] });
  });

  it('walks a view page by page, whatever its order', async () => {
    for (const [view, expected] of [
      ['all', 'mine2 mentioned teams nobodys mine'],
      ['snoozed', 'sooner snoozed'],
    ] as const) {
      const walked: string[] = [];
      let cursor = '';
      do {
        const page = await rowsOf(scene.aisha, view, `&limit=1${cursor}`);
        for (const { conversation } of page.data) walked.push(scene.names.get(conversation.id)!);
        cursor = page.next_cursor === undefined ? '' : `&cursor=${page.next_cursor}`;
      } while (cursor !== '');
      assert.equal(walked.join(' '), expected);
    }
    const { next_cursor } = await rowsOf(scene.aisha, 'all', '&limit=1');
    const foreign = await scene.aisha.at('GET', `/inbox?view=mine&cursor=${next_cursor}`);
    assert.equal(foreign.status, 422);
  });

  it('names the order of a view, with the rows that are asked for alone', async () => {
    const { aisha } = scene;
    const whole = await rowsOf(aisha, 'all');
    const wanted = idOf('nobodys');
    const { data, ids, next_cursor } = (await aisha.at('GET', `/inbox?rows_of=${wanted},${idOf('closed')}&limit=4`))
      .body;
    assert.deepEqual(
      ids,
      whole.data.slice(0, 4).map(({ conversation }) => conversation.id),
    );
    assert.deepEqual(
      data,
      whole.data.filter(({ conversation }) => conversation.id === wanted),
    );
    const rest = (await aisha.at('GET', `/inbox?rows_of=${wanted}&limit=4&cursor=${next_cursor}`)).body;
    assert.deepEqual([rest.data, rest.ids], [[], [idOf('mine')]]);
    const many = Array.from({ length: 101 }, (_, n) => `cnv_${n}`);
    assert.equal((await aisha.at('GET', `/inbox?rows_of=${many}`)).status, 422);
    assert.equal((await aisha.at('GET', `/inbox?rows_of=${many.slice(1)}`)).status, 200);
    assert.equal('ids' in whole, false);
  });

  it('shows a saved view with me as the one who looks, and counts it, by the contact too', async () => {
    const { owner, aisha } = scene;
    const save = async (name: string, filter: object): Promise<string> =>
      (await owner.at('POST', '/views', { name, shared: true, filter })).body.id;
    const mine = await save('Mine', { assignee_id: 'me', status: 'open' });
    const tagged = await save('Tagged', { tag: 'vip' });
    const closed = await save('Closed', { status: 'closed' });
    const { conversation } = (await rowsOf(aisha, 'mine')).data[0]!;
    await owner.at('PATCH', `/contacts/${conversation.contact_id}`, { tags: ['vip'] });
    assert.equal(await namesIn(aisha, `saved:${mine}`), 'mine2 mine');
    assert.equal(await namesIn(owner, `saved:${mine}`), 'mentioned');
    assert.equal(await namesIn(aisha, `saved:${tagged}`), 'mine2');
    const { saved } = await counts(aisha);
    assert.deepEqual(
      saved.map(({ view_id, count }) => [view_id, count]).sort(),
      [
        [mine, 2],
        [tagged, 1],
        [closed, 1],
      ].sort(),
    );
    const own = (await owner.at('POST', '/views', { name: 'Secret', filter: {} })).body.id;
    assert.equal((await aisha.at('GET', `/inbox?view=saved:${own}`)).status, 404);
    assert.equal((await aisha.at('GET', '/inbox?view=team:x')).status, 404);
    assert.equal((await aisha.at('GET', '/inbox?view=odd')).status, 422);
  });

  it("shows the last message, what the person has not read, and the person's draft alone", async () => {
    const { aisha, owner } = scene;
    const id = idOf('mine');
    const row = async (member: Member) =>
      (await rowsOf(member, 'all')).data.find(({ conversation }) => conversation.id === id)!;
    const first = await row(aisha);
    assert.deepEqual(
      [first.preview!.direction, first.preview!.body, first.own_unread_count, first.has_draft],
      ['inbound', 'Hello', 1, false],
    );
    assert.equal(first.has_scheduled, false);
    const scheduled = await schedule(majlis, owner, id);
    assert.equal((await row(aisha)).has_scheduled, true);
    await owner.at('POST', scheduledPath(id, scheduled.id, 'cancel'), { version: scheduled.version });
    assert.equal((await row(aisha)).has_scheduled, false);
    const last = await lastMessageOf(aisha, id);
    assert.equal((await aisha.at('PUT', `/conversations/${id}/read-mark`, { last_read_message_id: last })).status, 200);
    await aisha.at('PUT', `/conversations/${id}/drafts/reply`, { body: 'Dear' });
    await owner.at('POST', `/conversations/${id}/notes`, { body: 'A note is no message' });
    const read = await row(aisha);
    assert.deepEqual([read.preview!.body, read.own_unread_count, read.has_draft], ['Hello', 0, true]);
    const others = await row(owner);
    assert.deepEqual([others.own_unread_count, others.has_draft], [1, false]);
    await aisha.at('POST', `/conversations/${id}/messages`, { kind: 'text', body: 'س'.repeat(300) });
    const { preview } = await row(aisha);
    assert.deepEqual([preview!.direction, preview!.body], ['outbound', 'س'.repeat(160)]);
    assert.ok(preview!.status);
    assert.deepEqual([preview!.actor_kind, preview!.user_id], ['user', aisha.user_id]);
    assert.equal(first.preview!.user_id, undefined);
  });

  it('shows what meets each filter of the contract, and the team, page by page', async () => {
    const { owner, aisha, team_id } = scene;
    const filtered = async (query: string, member = aisha) => {
      const { status, body } = await member.at('GET', `/inbox?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return (body.data as InboxRow[])
        .map(({ conversation }) => scene.names.get(conversation.id))
        .sort()
        .join(' ');
    };
    const { conversation } = (await rowsOf(aisha, 'unassigned')).data[0]!;
    const stage_id = (await owner.at('POST', '/stages', { name: 'Lead' })).body.id;
    await owner.at('PUT', `/conversations/${idOf('nobodys')}/stage`, { stage_id });
    await owner.at('PATCH', `/contacts/${conversation.contact_id}`, { name: 'Salma Said', tags: ['gold'] });
    assert.equal(await filtered('status=closed'), 'closed');
    assert.equal(await filtered('assignee_id=me'), 'mine mine2');
    assert.equal(await filtered(`assignee_id=${owner.user_id}`), 'mentioned');
    assert.equal(await filtered('assignee_id=none&status=open'), 'nobodys teams');
    assert.equal(await filtered(`team_id=${team_id}`), 'teams');
    assert.equal(await filtered(`stage_id=${stage_id}`), 'nobodys');
    assert.equal(await filtered('channel_type=email'), '');
    assert.equal(await filtered('tag=gold'), 'teams');
    assert.equal(await filtered('q=salma'), 'teams');
    assert.equal(await filtered(`contact_id=${conversation.contact_id}`), 'teams');
    assert.equal(await filtered('assignee_id=odd'), '');
    const first = (await aisha.at('GET', '/inbox?status=open&limit=1')).body;
    const second = await filtered(`status=open&limit=1&cursor=${first.next_cursor}`);
    assert.notEqual(second, scene.names.get(first.data[0].conversation.id));
    assert.equal((await aisha.at('GET', `/inbox?status=closed&cursor=${first.next_cursor}`)).status, 422);
    assert.equal((await aisha.at('GET', '/inbox?view=mine&status=open')).status, 422);
  });

  it('stops counting a mention once it is read, and keeps it in the list', async () => {
    const { aisha } = scene;
    const id = idOf('mentioned');
    const last = await lastMessageOf(aisha, id);
    await aisha.at('PUT', `/conversations/${id}/read-mark`, { last_read_message_id: last });
    assert.equal((await counts(aisha)).mentions, 0);
    assert.equal(await namesIn(aisha, 'mentions'), 'mentioned');
  });

  it('shows an agent of own teams their own and their teams', async () => {
    const { workspace, owner, team_id } = scene;
    const limited = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
    const views = ['mine', 'unassigned', 'all', 'closed', 'snoozed', 'mentions'];
    const seen = async () => Promise.all(views.map((view) => namesIn(limited, view)));
    const count = async () => {
      const { mine, unassigned, all, closed, snoozed, teams } = await counts(limited);
      return [mine, unassigned, all, closed, snoozed, teams.length];
    };
    assert.deepEqual(await seen(), ['', '', '', '', '', '']);
    assert.deepEqual(await count(), [0, 0, 0, 0, 0, 0]);
    await majlis.sql(
      `insert into team_members (workspace_id, team_id, user_id)
       select t.workspace_id, t.id, u.id from teams t join users u using (workspace_id) where u.email = $1`,
      [limited.email],
    );
    await owner.at('POST', `/conversations/${idOf('mine2')}/assign`, { assignee_id: limited.user_id, team_id });
    await owner.at('POST', `/conversations/${idOf('sooner')}/assign`, { assignee_id: null, team_id });
    assert.deepEqual(await seen(), ['mine2', 'teams', 'mine2 teams', '', 'sooner', '']);
    assert.deepEqual(await count(), [1, 1, 2, 0, 1, 1]);
    assert.equal(await namesIn(limited, `team:${team_id}`), 'mine2 teams');
  });

  it('forgets an erased contact', async () => {
    const { owner } = scene;
    const { conversation } = (await rowsOf(owner, 'closed')).data[0]!;
    assert.equal((await owner.at('DELETE', `/contacts/${conversation.contact_id}`)).status, 204);
    assert.equal(await namesIn(owner, 'closed'), '');
    assert.equal((await counts(owner)).closed, 0);
  });
});
