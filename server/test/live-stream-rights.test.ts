import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBroadcastClient, marketingTemplate } from '@majlis/testing/broadcasts';
import { within } from '@majlis/testing/cleanup';
import { newDigits } from '@majlis/testing/messages';
import { openStream } from '@majlis/testing/open-stream';
import { joinWorkspace, type Member, openBrowser, password } from '@majlis/testing/people';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const teamless = 'agent-of-sales@acme.example';
const workspace = await majlis.workspace({
  users: [{ name: 'Sara', email: teamless, role: 'agent' }],
  teams: [{ name: 'Sales', members: [teamless] }, { name: 'Care' }],
});
const [sales, care] = workspace.applied.teams.map(({ id }: { id: string }) => id);
const owner = await joinWorkspace(majlis, workspace);
const begin = async (at: TestWorkspace = workspace) =>
  (await at.api.post('/messages', { to: `+${newDigits()}`, ...templateMessage })).body as {
    id: string;
    conversation_id: string;
  };
const assign = (id: string, to: object, by: Member = owner) => by.at('POST', `/conversations/${id}/assign`, to);

async function restricted(email?: string): Promise<Member> {
  const agent = await joinWorkspace(majlis, workspace, { role: 'agent', ...(email && { email }) });
  const { status } = await owner.at('PATCH', `/members/${agent.user_id}`, { own_teams_only: true });
  assert.equal(status, 200);
  return agent;
}

/** A change that everybody sees, behind all changes so far. */
async function untilCaughtUp(streams: Awaited<ReturnType<typeof openStream>>[]): Promise<void> {
  const name = `Contact ${newDigits()}`;
  const { body } = await workspace.api.post('/contacts', {
    name,
    identities: [{ channel_type: 'chatapp', identifier: newDigits() }],
  });
  for (const stream of streams) await stream.until((event) => event.contact_id === body.id);
}

describe('a live stream tells nobody what they may not see', () => {
  it('nothing of another workspace', async () => {
    const other = await majlis.workspace();
    const stranger = await joinWorkspace(majlis, other);
    const [own, foreign] = [await openStream(majlis, owner), await openStream(majlis, stranger)];
    const [here, there] = [await begin(), await begin(other)];
    await own.until((event) => event.status === 'read' && event.message_id === here.id);
    await foreign.until((event) => event.status === 'read' && event.message_id === there.id);
    assert.ok(own.events.every(({ kind, workspace_id }) => kind === 'ready' || workspace_id === workspace.id));
    assert.ok(foreign.events.every(({ kind, workspace_id }) => kind === 'ready' || workspace_id === other.id));
    own.cut();
    foreign.cut();
  });

  it('all workspaces of a person on one stream, and each with its own role', async () => {
    const other = await majlis.workspace();
    const email = 'both@acme.example';
    const first = await joinWorkspace(majlis, workspace, { email, role: 'agent' });
    await joinWorkspace(majlis, other, { email, role: 'owner' });
    const stream = await openStream(majlis, first);
    const { create } = createBroadcastClient(majlis);
    const broadcast = async (at: TestWorkspace) =>
      (await create(at, { recipients: [{ to: `+${newDigits()}` }] }, { template: marketingTemplate })).id;
    const [hidden, seen] = [await broadcast(workspace), await broadcast(other)];
    await stream.until((event) => event.broadcast_id === seen);
    await untilCaughtUp([stream]);
    assert.ok(!stream.events.some((event) => event.broadcast_id === hidden));
    stream.cut();
  });

  it('only own conversations to an agent who is limited to them, and `removed` for those that go', async () => {
    const agent = await restricted();
    const stream = await openStream(majlis, agent);
    const [own, hidden] = [await begin(), await begin()];
    await assign(own.conversation_id, { assignee_id: agent.user_id });
    await stream.until((event) => event.kind === 'assignment' && event.conversation_id === own.conversation_id);
    await assign(own.conversation_id, { assignee_id: owner.user_id });
    await stream.until((event) => event.kind === 'removed' && event.conversation_id === own.conversation_id);
    const at = stream.events.length;
    await owner.at('POST', `/conversations/${own.conversation_id}/notes`, { body: 'Not for them' });
    await untilCaughtUp([stream]);
    assert.ok(!stream.events.slice(at).some((event) => event.conversation_id));
    assert.ok(!stream.events.some((event) => event.conversation_id === hidden.conversation_id));
    stream.cut();
  });

  it('the conversations of own teams', async () => {
    const agent = await restricted(teamless);
    const stream = await openStream(majlis, agent);
    const [ours, theirs] = [await begin(), await begin()];
    await assign(ours.conversation_id, { team_id: sales });
    await assign(theirs.conversation_id, { team_id: care });
    await stream.until((event) => event.conversation_id === ours.conversation_id);
    await assign(ours.conversation_id, { team_id: care });
    await stream.until((event) => event.kind === 'removed' && event.conversation_id === ours.conversation_id);
    await untilCaughtUp([stream]);
    assert.ok(!stream.events.some((event) => event.conversation_id === theirs.conversation_id));
    stream.cut();
  });

  it('what was assigned away during a cut is removed at the resume', async () => {
    const agent = await restricted();
    const { conversation_id } = await begin();
    await assign(conversation_id, { assignee_id: agent.user_id });
    const first = await openStream(majlis, agent);
    const after = first.id();
    first.cut();
    // Later changes of the same kind hide none of the agent's loss.
    for (const assignee_id of [owner.user_id, null, owner.user_id]) {
      assert.equal((await assign(conversation_id, { assignee_id })).status, 200);
    }
    const second = await openStream(majlis, agent, after);
    await second.until((event) => event.kind === 'removed' && event.conversation_id === conversation_id);
    assert.ok(!second.events.some(({ kind }) => kind === 'assignment'));
    second.cut();
  });

  it('a change of rights asks for a new reading, on an open stream and at a resume', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const first = await openStream(majlis, agent);
    const { conversation_id } = await begin();
    await first.until((event) => event.conversation_id === conversation_id);
    await owner.at('PATCH', `/members/${agent.user_id}`, { own_teams_only: true });
    assert.deepEqual(await first.until(({ kind }) => kind === 'reset'), { kind: 'reset', reason: 'rights' });
    const at = first.events.length;
    await owner.at('POST', `/conversations/${conversation_id}/notes`, { body: 'Hidden by now' });
    await untilCaughtUp([first]);
    assert.ok(!first.events.slice(at).some((event) => event.conversation_id));
    const after = first.id();
    first.cut();
    await owner.at('PATCH', `/members/${agent.user_id}`, { own_teams_only: false });
    const second = await openStream(majlis, agent, after);
    await second.until(({ kind, reason }) => kind === 'reset' && reason === 'rights');
    second.cut();
  });

  it('nothing after the end of a session, a new password, or the end of the membership', async () => {
    const ended = async (agent: Member, end: () => Promise<{ status: number }>, reason: string) => {
      const stream = await openStream(majlis, agent);
      assert.equal((await end()).status, 204);
      assert.deepEqual(await stream.until(({ kind }) => kind === 'ended'), { kind: 'ended', reason });
      await within(stream.ended, 60_000, 'the stream has ended');
    };
    const join = () => joinWorkspace(majlis, workspace, { role: 'agent' });
    const [leaves, changes, removed] = [await join(), await join(), await join()];
    await ended(leaves, () => leaves.post('/sign-out'), 'signed_out');
    const elsewhere = openBrowser(majlis);
    assert.equal((await elsewhere.post('/sign-in', { email: changes.email, password })).status, 200);
    await ended(
      changes,
      () => elsewhere.request('PUT', '/password', { password: 'another horse battery' }),
      'signed_out',
    );
    await ended(removed, () => owner.at('DELETE', `/members/${removed.user_id}`), 'not_a_member');
  });

  it('a mention to the person who is mentioned', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Lina Said' });
    const [named, others] = [await openStream(majlis, agent), await openStream(majlis, owner)];
    const { conversation_id } = await begin();
    const note = await owner.at('POST', `/conversations/${conversation_id}/notes`, { body: 'Look, @Lina' });
    await untilCaughtUp([named, others]);
    assert.ok(
      named.events.some((event) => event.kind === 'mention' && event.message_id === note.body.id),
      JSON.stringify(note.body),
    );
    assert.ok(!others.events.some(({ kind }) => kind === 'mention'));
    named.cut();
    others.cut();
  });

  it('no change of a customer whom a limited person does not see', async () => {
    const agent = await restricted();
    const contactOf = async (id: string) => (await workspace.api.get(`/conversations/${id}`)).body.contact_id as string;
    const [own, hidden] = [await begin(), await begin()];
    await assign(own.conversation_id, { assignee_id: agent.user_id });
    const [seen_id, hidden_id] = [await contactOf(own.conversation_id), await contactOf(hidden.conversation_id)];
    const streams = [await openStream(majlis, agent), await openStream(majlis, owner)];
    for (const id of [hidden_id, seen_id]) {
      assert.equal((await workspace.api.request('PATCH', `/contacts/${id}`, { name: 'Renamed' })).status, 200);
    }
    for (const stream of streams) await stream.until((event) => event.contact_id === seen_id);
    const [limited, all] = streams.map(({ events }) => events.map(({ contact_id }) => contact_id));
    assert.ok(all!.includes(hidden_id));
    assert.ok(!limited!.includes(hidden_id));
    for (const stream of streams) stream.cut();
  });

  it('no broadcast and no import to a supervisor who is limited to own teams', async () => {
    const supervisor = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
    assert.equal((await owner.at('PATCH', `/members/${supervisor.user_id}`, { own_teams_only: true })).status, 200);
    const streams = [await openStream(majlis, supervisor), await openStream(majlis, owner)];
    const { create } = createBroadcastClient(majlis);
    const { id } = await create(
      workspace,
      { recipients: [{ to: `+${newDigits()}` }] },
      { template: marketingTemplate },
    );
    const contacts = [{ identities: [{ channel_type: 'chatapp', identifier: newDigits() }] }];
    assert.ok((await owner.at('POST', '/contacts/import', { contacts })).status < 300);
    await streams[1]!.until((event) => event.broadcast_id === id);
    await untilCaughtUp(streams);
    assert.deepEqual(
      streams[0]!.events.filter(({ kind }) => kind === 'broadcast' || kind === 'contact_import'),
      [],
    );
    for (const stream of streams) stream.cut();
  });
});
