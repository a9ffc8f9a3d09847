import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { consoleOperations, mayAct, personRules, type Role, roles } from '@majlis/console-api';
import { operations } from '@majlis/contract';
import { createApi } from '@majlis/testing/api';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const workspace = await majlis.workspace();
const people = {} as Record<Role, Member>;
for (const role of roles) people[role] = await joinWorkspace(majlis, workspace, { role });

describe('the members of a workspace', () => {
  const codeOf = async (answer: Promise<{ status: number; body: { code?: string } }>) => (await answer).body?.code;

  it('may perform the operations of their role, and no others', async () => {
    const nowhere = 'x';
    for (const operation of [...Object.values(operations), ...Object.values(consoleOperations)]) {
      const isOwn = 'audience' in operation;
      if (isOwn && (operation.audience === 'anyone' || operation.audience === 'person')) continue;
      const rule = isOwn
        ? { least: operation.audience as Role }
        : personRules[operation.id as keyof typeof personRules];
      const path = operation.path.replace('/console/v1/workspaces/{workspace_id}', '').replace(/^\/v1/, '');
      const filled = path.replaceAll(/\{\w+\}/g, nowhere);
      for (const role of roles) {
        // An empty body changes nothing: what the role allows is refused later, as invalid or unknown.
        const body = operation.method === 'GET' || operation.method === 'DELETE' ? undefined : {};
        const { status, body: answer } = await people[role].at(operation.method, filled, body);
        const isRefused = answer?.code === 'role_insufficient';
        const label: string = `${role} ${operation.id} ${status} ${answer?.code}`;
        if (!rule) assert.equal(status, 404, label);
        else assert.equal(isRefused, !mayAct(role, rule.least), label);
        assert.notEqual(status, 500, label);
      }
    }
  });

  it('see nothing of another workspace', async () => {
    const other = await majlis.workspace();
    const { body: conversation } = await other.api.post('/messages', {
      to: '+96891234567',
      kind: 'template',
      template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] },
    });
    const { owner } = people;
    assert.equal((await owner.request('GET', `/workspaces/${other.id}/conversations`)).status, 404);
    assert.equal((await owner.request('GET', `/workspaces/${other.id}/members`)).status, 404);
    assert.equal((await owner.request('GET', '/workspaces/nonsense/members')).status, 404);
    assert.equal((await owner.at('GET', `/conversations/${conversation.conversation_id}`)).status, 404);
  });

  it('write as themselves', async () => {
    const sent = await people.agent.at('POST', '/messages', {
      to: '+96891234568',
      kind: 'template',
      template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] },
    });
    assert.equal(sent.status, 201);
    const { body } = await workspace.api.get(`/messages/${sent.body.id}`);
    assert.deepEqual([body.actor_kind, body.actor_id], ['user', people.agent.user_id]);
  });

  it('have limits of their own', async () => {
    const api = createApi(majlis.url, workspace.key);
    const before = Number((await api.get('/me')).headers.get('ratelimit-remaining'));
    for (let i = 0; i < 20; i++) await people.agent.at('GET', '/conversations');
    const after = Number((await api.get('/me')).headers.get('ratelimit-remaining'));
    assert.ok(before - after <= 1, `${before} ${after}`);
  });

  it('keep their idempotency keys apart from those of API keys and of each other', async () => {
    const message = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };
    const headers = { 'idempotency-key': 'the-same' };
    const byKey = await workspace.api.post('/messages', { to: '+96891234569', ...message }, headers);
    const path = `/workspaces/${workspace.id}/messages`;
    const send = () => people.agent.request('POST', path, { to: '+96891234570', ...message }, headers);
    const [first, second] = [await send(), await send()];
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.equal(first.body.id, second.body.id);
    assert.notEqual(first.body.id, byKey.body.id);
    const other = { to: '+96891234573', ...message };
    const byAdmin = await people.admin.request('POST', path, other, headers);
    assert.deepEqual([byAdmin.status, byAdmin.body.actor_id], [201, people.admin.user_id]);
    assert.notEqual(byAdmin.body.id, first.body.id);
  });

  it('change what is named of their profile, and nothing else', async () => {
    const profile = async () => (await people.agent.get('/session')).body.person;
    const before = await profile();
    for (const body of [{}, { name: ' ' }]) {
      const { status } = await people.agent.request('PATCH', '/profile', body);
      assert.equal(status, body.name ? 422 : 204);
      assert.deepEqual(await profile(), before);
    }
    assert.equal((await people.agent.request('PATCH', '/profile', { theme: 'dark' })).status, 204);
    assert.deepEqual(await profile(), { ...before, theme: 'dark' });
    assert.equal((await people.agent.request('PATCH', '/profile', { name: ' Sara  ' })).status, 204);
    assert.deepEqual(await profile(), { ...before, theme: 'dark', name: 'Sara' });
    assert.equal((await people.agent.request('PATCH', '/profile', { name: before.name })).status, 204);
  });

  it('always have an owner, also when two owners step down at once', async () => {
    const lonely = await majlis.workspace();
    const [one, two] = [await joinWorkspace(majlis, lonely), await joinWorkspace(majlis, lonely)];
    const answers = await Promise.all([
      one.at('PATCH', `/members/${two.user_id}`, { role: 'agent' }),
      two.at('PATCH', `/members/${one.user_id}`, { role: 'agent' }),
    ]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, JSON.stringify(answers));
    const left = answers[0]!.status === 200 ? one : two;
    assert.equal(await codeOf(left.at('DELETE', `/members/${left.user_id}`)), 'last_owner');
    assert.equal(await codeOf(left.at('PATCH', `/members/${left.user_id}`, { role: 'admin' })), 'last_owner');
  });

  it('cannot change an owner without being one', async () => {
    const { owner, admin } = people;
    assert.equal(await codeOf(admin.at('PATCH', `/members/${owner.user_id}`, { role: 'agent' })), 'role_insufficient');
    assert.equal(await codeOf(admin.at('DELETE', `/members/${owner.user_id}`)), 'role_insufficient');
  });

  it('lose the workspace at once when they are removed, and stay the authors of what they wrote', async () => {
    const leaver = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const sent = await leaver.at('POST', '/messages', {
      to: '+96891234571',
      kind: 'template',
      template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] },
    });
    const conversation = `/conversations/${sent.body.conversation_id}`;
    await leaver.at('POST', `${conversation}/assign`, { assignee_id: leaver.user_id });
    assert.equal((await people.admin.at('DELETE', `/members/${leaver.user_id}`)).status, 204);
    assert.equal((await leaver.at('GET', '/conversations')).status, 404);
    assert.deepEqual((await leaver.get('/session')).body.workspaces, []);
    assert.equal((await workspace.api.get(conversation)).body.assignee_id ?? null, null);
    const { body: users } = await workspace.api.get('/users');
    assert.ok(!users.data.some((user: { id: string }) => user.id === leaver.user_id));
    const assigning = [
      await workspace.api.post(`${conversation}/assign`, { assignee_id: leaver.user_id }),
      await people.admin.at('POST', `${conversation}/assign`, { assignee_id: leaver.user_id }),
    ];
    for (const { status, body } of assigning) {
      assert.deepEqual([status, body.errors[0].pointer], [422, '/assignee_id']);
    }
    assert.equal((await workspace.api.get(`/messages/${sent.body.id}`)).body.actor_id, leaver.user_id);
  });

  it('leave nobody with a closed conversation who would not answer it once the customer writes again', async () => {
    const leaver = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const digits = newDigits();
    const { conversation_id } = await receiveMessage(majlis, workspace, digits);
    const conversation = `/conversations/${conversation_id}`;
    await leaver.at('POST', `${conversation}/assign`, { assignee_id: leaver.user_id });
    await leaver.at('POST', `${conversation}/close`, {});
    const assignments = async () => {
      const { data } = (await people.admin.at('GET', `${conversation}/thread`)).body;
      return data.filter(({ kind }: AnyJson) => kind === 'assigned').length;
    };
    const before = await assignments();
    assert.equal((await people.admin.at('DELETE', `/members/${leaver.user_id}`)).status, 204);
    await receiveMessage(majlis, workspace, digits);
    const { status, assignee_id } = (await workspace.api.get(conversation)).body;
    assert.deepEqual([status, assignee_id], ['open', undefined]);
    const { data } = (await people.admin.at('GET', '/inbox?view=unassigned')).body;
    assert.ok(data.some((row: AnyJson) => row.conversation.id === conversation_id));
    assert.equal(await assignments(), before);
  });

  it('see the conversations of own teams and their own alone, where they are limited to them', async () => {
    const member = await joinWorkspace(majlis, workspace, { role: 'agent', email: 'limited@acme.example' });
    await majlis.operator('PUT', '/workspaces', {
      workspace: { name: workspace.applied.workspace.name },
      teams: [{ name: 'Care', members: [member.email] }],
    });
    const { body: teams } = await workspace.api.get('/teams');
    await people.admin.at('PATCH', `/members/${member.user_id}`, { own_teams_only: true });
    const sent = [];
    for (const to of ['+96891234581', '+96891234582', '+96891234583']) {
      const message = { to, kind: 'template', template: { name: 'order_update', language: 'en', params: ['M', 'A'] } };
      sent.push((await workspace.api.post('/messages', message)).body);
    }
    const [own, ofTeam, hidden] = sent;
    await workspace.api.post(`/conversations/${own.conversation_id}/assign`, { assignee_id: member.user_id });
    await workspace.api.post(`/conversations/${ofTeam.conversation_id}/assign`, { team_id: teams.data[0].id });
    const { body } = await member.at('GET', '/conversations');
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id).sort(),
      [own.conversation_id, ofTeam.conversation_id].sort(),
    );
    for (const { id, conversation_id } of [own, ofTeam]) {
      assert.equal((await member.at('GET', `/messages/${id}`)).status, 200);
      assert.equal((await member.at('GET', `/conversations/${conversation_id}/messages`)).status, 200);
    }
    for (const path of ['', '/messages']) {
      assert.equal((await member.at('GET', `/conversations/${hidden.conversation_id}${path}`)).status, 404);
    }
    assert.equal((await member.at('GET', `/messages/${hidden.id}`)).status, 404);
    assert.equal((await member.at('POST', `/conversations/${hidden.conversation_id}/close`, {})).status, 404);
  });

  it('are changed by nobody who has not seen their latest values, and the loss of one is told in numbers', async () => {
    const { admin } = people;
    const leaver = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const path = `/members/${leaver.user_id}`;
    const listed = (await admin.at('GET', '/members')).body.data;
    const { version } = listed.find(({ user_id }: { user_id: string }) => user_id === leaver.user_id);
    assert.equal((await admin.at('PATCH', path, { version, own_teams_only: true })).status, 200);
    assert.equal(await codeOf(admin.at('PATCH', path, { version, role: 'supervisor' })), 'changed_meanwhile');
    await admin.at('POST', '/teams', { name: 'Of the leaver', member_ids: [leaver.user_id] });
    const use = { open_conversations: 0, teams: 1, invitations: 0, workflows: 0 };
    assert.deepEqual((await admin.at('GET', `${path}/use`)).body, use);
    assert.equal((await leaver.at('GET', `${path}/use`)).status, 403);
    const other = await majlis.workspace();
    const stranger = await joinWorkspace(majlis, other);
    assert.equal((await stranger.at('GET', `${path}/use`)).status, 404);
  });
});
