import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { openStream } from '@majlis/testing/open-stream';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startAgents } from '@majlis/testing/start-agents';
import type { TestWorkspace } from '@majlis/testing/start-test-service';

const { models, majlis, open, write, untilAnswers } = await startAgents();
let workspace: TestWorkspace;
let aisha: Member;
let badr: Member;
before(async () => {
  workspace = await majlis.workspace({
    users: [{ name: 'Dina', email: 'dina@acme.example', role: 'supervisor' }],
    teams: [{ name: 'Sales', members: ['dina@acme.example'] }],
  });
  aisha = await joinWorkspace(majlis, workspace, { role: 'owner' });
  badr = await joinAway(workspace, aisha);
});

/** An agent to whom no conversation is assigned by turns. */
async function joinAway(here: TestWorkspace, owner: Member): Promise<Member> {
  const agent = await joinWorkspace(majlis, here, { role: 'agent' });
  const { status } = await owner.at('PUT', `/users/${agent.user_id}/availability`, { available: false });
  assert.equal(status, 200);
  return agent;
}

const receive = (digits = newDigits()) => receiveMessage(majlis, workspace, digits);
const notices = async (member: Member, message_ids: string): Promise<AnyJson> =>
  (await member.at('GET', `/notices?message_ids=${message_ids}`)).body;
const choose = (member: Member, settings: object) => member.at('PATCH', '/notification-settings', settings);
const assign = (conversation_id: string, body: object) =>
  aisha.at('POST', `/conversations/${conversation_id}/assign`, body);
const notified = async (member: Member, message_id: string) => (await notices(member, message_id)).data.length === 1;

describe('a new message', () => {
  it('notifies by the assignee of its conversation and the choice of the person', async () => {
    const [mine, theirs, nobodys] = [await receive(), await receive(), await receive()];
    await assign(mine.conversation_id, { assignee_id: badr.user_id });
    await assign(theirs.conversation_id, { assignee_id: aisha.user_id });
    const ids = [mine, theirs, nobodys].map(({ message_id }) => message_id);
    const told: Record<string, boolean[]> = {};
    for (const conversations of ['all', 'mine_and_unassigned', 'mine', 'none']) {
      await choose(badr, { conversations });
      const { data } = await notices(badr, ids.join());
      told[conversations] = ids.map((id) => data.some((notice: AnyJson) => notice.message_id === id));
    }
    assert.deepEqual(told, {
      all: [true, true, true],
      mine_and_unassigned: [true, false, true],
      mine: [true, false, false],
      none: [false, false, false],
    });
    await choose(badr, { conversations: 'mine_and_unassigned' });
  });

  it('says who wrote and what', async () => {
    const digits = newDigits();
    const { message_id, conversation_id } = await receive(digits);
    const { data, sound, desktop } = await notices(badr, message_id);
    const [{ created_at, contact_name, ...notice }] = data;
    assert.deepEqual([sound, desktop, typeof created_at], [true, false, 'string']);
    assert.deepEqual(notice, {
      kind: 'message',
      conversation_id,
      message_id,
      contact_handle: `+${digits}`,
      message_kind: 'text',
      body: 'Hello',
    });
  });

  it('does not notify who has read it, nor once it is old', async () => {
    const { message_id, conversation_id } = await receive();
    assert.equal(await notified(badr, message_id), true);
    const path = `/conversations/${conversation_id}/read-mark`;
    await badr.at('PUT', path, { last_read_message_id: message_id });
    assert.equal(await notified(badr, message_id), false);
    const old = await receive();
    await majlis.advance(16 * 60);
    assert.equal(await notified(badr, old.message_id), false);
  });

  it('does not notify in quiet hours, by the clock of the server', async () => {
    const now = Date.parse((await badr.get('/session')).body.now);
    const at = (minutes: number) =>
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Muscat', hour: '2-digit', minute: '2-digit' }).format(
        now + minutes * 60_000,
      );
    await choose(badr, { quiet_hours: { from: at(-60), until: at(60) } });
    assert.equal(await notified(badr, (await receive()).message_id), false);
    await majlis.advance(61 * 60);
    assert.equal(await notified(badr, (await receive()).message_id), true);
    await choose(badr, { quiet_hours: null });
  });

  it('notifies nobody who may not see the conversation', async () => {
    const team_id = workspace.applied.teams[0].id;
    const hidden = await receive();
    await choose(badr, { conversations: 'all' });
    assert.equal(await notified(badr, hidden.message_id), true);
    await aisha.at('PATCH', `/members/${badr.user_id}`, { own_teams_only: true });
    assert.equal(await notified(badr, hidden.message_id), false);
    await assign(hidden.conversation_id, { team_id });
    assert.equal(await notified(badr, hidden.message_id), false);
    await assign(hidden.conversation_id, { assignee_id: badr.user_id });
    assert.equal(await notified(badr, hidden.message_id), true);
    await aisha.at('PATCH', `/members/${badr.user_id}`, { own_teams_only: false });
    const other = await joinWorkspace(majlis, await majlis.workspace());
    assert.deepEqual((await notices(other, hidden.message_id)).data, []);
  });

  it('is refused where more are named than a request may', async () => {
    const many = Array.from({ length: 101 }, (_, n) => `msg_${n}`).join();
    const { status, body } = await badr.at('GET', `/notices?message_ids=${many}`);
    assert.deepEqual([status, body.errors[0].pointer], [422, '/message_ids']);
  });
});

describe('a mention', () => {
  it('notifies the person it names, whatever the conversations, unless they turned mentions off', async () => {
    const { conversation_id } = await receive();
    await choose(badr, { conversations: 'none', mentions: true });
    const { name } = (await aisha.at('GET', '/users')).body.data.find(({ id }: AnyJson) => id === badr.user_id);
    const { body: note } = await aisha.at('POST', `/conversations/${conversation_id}/notes`, { body: `@${name} look` });
    const [notice] = (await notices(badr, note.id)).data;
    assert.deepEqual([notice.kind, notice.body], ['mention', `@${name} look`]);
    assert.match(notice.author_name, /^Person/);
    assert.equal(await notified(aisha, note.id), false);
    assert.deepEqual((await notices(await joinAway(workspace, aisha), note.id)).data, []);
    await choose(badr, { mentions: false });
    assert.equal(await notified(badr, note.id), false);
  });
});

describe('a bot that gives a conversation to people', () => {
  it('is told to open consoles, and notifies whom the conversation concerns; its own messages notified nobody', async () => {
    const of = await open();
    const person = await joinWorkspace(majlis, of.workspace);
    const stream = await openStream(majlis, person);
    await stream.until(({ kind }) => kind === 'ready');
    models.say('HAND_OVER');
    await write(of, 'Is the moon made of cheese?');
    await untilAnswers(of, 1);
    const { conversation_id } = await stream.until(({ kind }) => kind === 'handover');
    const { body } = await person.at('GET', `/notices?handed_over=${conversation_id}`);
    assert.deepEqual(
      body.data.map(({ kind, conversation_id: id }: AnyJson) => [kind, id]),
      [['handover', conversation_id]],
    );
    await person.at('PATCH', '/notification-settings', { conversations: 'mine' });
    assert.deepEqual((await person.at('GET', `/notices?handed_over=${conversation_id}`)).body.data, []);
    stream.cut();
  });
});

describe('the count of unread conversations', () => {
  it('has those of the person and of nobody, until they are read', async () => {
    const fresh = await majlis.workspace();
    const owner = await joinWorkspace(majlis, fresh);
    const agent = await joinAway(fresh, owner);
    const count = async (member: Member) => (await member.at('GET', '/unread-count')).body.conversations;
    const [one, two] = [
      await receiveMessage(majlis, fresh, newDigits()),
      await receiveMessage(majlis, fresh, newDigits()),
    ];
    assert.deepEqual([await count(owner), await count(agent)], [2, 2]);
    await owner.at('POST', `/conversations/${one.conversation_id}/assign`, { assignee_id: agent.user_id });
    assert.deepEqual([await count(owner), await count(agent)], [1, 2]);
    const path = `/conversations/${two.conversation_id}/read-mark`;
    await agent.at('PUT', path, { last_read_message_id: two.message_id });
    assert.deepEqual([await count(owner), await count(agent)], [1, 1]);
  });
});
