import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { newDigits } from '@majlis/testing/messages';
import {
  platformText,
  postNotification,
  receiveText,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const user = (name: string, more: object = {}) => ({ name, email: `${name.toLowerCase()}@acme.example`, ...more });
const agents = ['Aisha', 'Badr', 'Ceyda'].map((name) => user(name, { role: 'agent' }));

const idsOf = ({ applied }: TestWorkspace, list: string): string[] => applied[list].map(({ id }: { id: string }) => id);
const setAvailable = async ({ api }: TestWorkspace, id: string, available: boolean) => {
  const { status, body, text } = await api.request('PUT', `/users/${id}/availability`, { available });
  assert.deepEqual([status, body.id, body.available], [200, id, available], text);
};
const assigneeOf = async ({ api }: TestWorkspace, id: string): Promise<string | undefined> =>
  (await api.get(`/conversations/${id}`)).body.assignee_id;

/** Lets someone write who never did, and tells who is to answer. */
async function askedNext(workspace: TestWorkspace): Promise<string | undefined> {
  return assigneeOf(workspace, await receiveText(majlis, workspace, newDigits()));
}

describe('users and teams', () => {
  it('are listed whole, each user with the teams and each team with the users', async () => {
    const workspace = await majlis.workspace({
      users: [user('Aisha', { role: 'admin', status: 'active' }), user('Badr', { role: 'agent' }), user('Ceyda')],
      teams: [
        { name: 'Sales', members: ['badr@acme.example', 'aisha@acme.example'] },
        { name: 'Care', members: ['badr@acme.example'] },
        { name: 'Nobody' },
      ],
    });
    const [aisha, badr, ceyda] = idsOf(workspace, 'users') as [string, string, string];
    const [sales, care, none] = idsOf(workspace, 'teams') as [string, string, string];
    const { body: users } = await workspace.api.get('/users');
    assert.deepEqual(users, {
      data: [
        {
          id: aisha,
          name: 'Aisha',
          email: 'aisha@acme.example',
          role: 'admin',
          status: 'active',
          teams: [sales],
          available: true,
        },
        { id: badr, name: 'Badr', email: 'badr@acme.example', role: 'agent', teams: [sales, care], available: true },
        { id: ceyda, name: 'Ceyda', email: 'ceyda@acme.example', teams: [], available: true },
      ],
    });
    const { body: teams } = await workspace.api.get('/teams');
    assert.deepEqual(teams, {
      data: [
        { id: sales, name: 'Sales', member_ids: [aisha, badr] },
        { id: care, name: 'Care', member_ids: [badr] },
        { id: none, name: 'Nobody', member_ids: [] },
      ],
    });
  });

  it('are those of the workspace alone', async () => {
    const [one, other] = [await majlis.workspace({ users: agents }), await majlis.workspace()];
    for (const path of ['/users', '/teams', '/ai/agents'])
      assert.deepEqual((await other.api.get(path)).body, { data: [] });
    const [id] = idsOf(one, 'users') as [string];
    assertRefused(await other.api.request('PUT', `/users/${id}/availability`, { available: false }), 404);
    assert.equal((await one.api.get('/users')).body.data[0].available, true);
  });

  it('show when a user was last active, as far as it is known', async () => {
    const workspace = await majlis.workspace({ users: [user('Aisha')] });
    await majlis.sql(
      `update users set last_active_at = '2026-11-20T10:00:00.123Z' where workspace_id =
      (select id from workspaces where name = $1)`,
      [workspace.applied.workspace.name],
    );
    assert.equal((await workspace.api.get('/users')).body.data[0].last_active_at, '2026-11-20T10:00:00.123Z');
  });

  it('change their availability, and keep it where nothing is sent or the file is applied again', async () => {
    const workspace = await majlis.workspace({ users: agents });
    const [id] = idsOf(workspace, 'users') as [string];
    await setAvailable(workspace, id, false);
    await setAvailable(workspace, id, false);
    const { body } = await workspace.api.request('PUT', `/users/${id}/availability`, {});
    assert.equal(body.available, false);
    await majlis.operator('PUT', '/workspaces', {
      workspace: { name: workspace.applied.workspace.name },
      users: agents,
    });
    assert.equal((await workspace.api.get('/users')).body.data[0].available, false);
    await setAvailable(workspace, id, true);
    for (const available of ['no', null, 0]) {
      assertRefused(await workspace.api.request('PUT', `/users/${id}/availability`, { available }));
    }
  });
});

describe('AI agents', () => {
  it('are listed whole', async () => {
    const ai_agents = [{ name: 'Concierge', languages: ['ar', 'en'], status: 'active' }, { name: 'Night' }];
    const workspace = await majlis.workspace({ ai_agents });
    const [concierge, night] = idsOf(workspace, 'ai_agents');
    assert.deepEqual((await workspace.api.get('/ai/agents')).body, {
      data: [
        { id: concierge, name: 'Concierge', status: 'active', languages: ['ar', 'en'] },
        { id: night, name: 'Night', languages: [] },
      ],
    });
  });
});

describe('round-robin assignment', () => {
  it('gives new conversations to the agents in turn', async () => {
    const workspace = await majlis.workspace({ users: [user('Zaid', { role: 'admin' }), user('Yara'), ...agents] });
    const [, , ...ids] = idsOf(workspace, 'users');
    const asked = [];
    for (let turn = 0; turn < 7; turn++) asked.push(await askedNext(workspace));
    assert.deepEqual(asked, [...ids, ...ids, ids[0]]);
  });

  it('skips who is unavailable, and goes on behind the last', async () => {
    const workspace = await majlis.workspace({ users: agents });
    const [aisha, badr, ceyda] = idsOf(workspace, 'users') as [string, string, string];
    assert.equal(await askedNext(workspace), aisha);
    await setAvailable(workspace, badr, false);
    assert.equal(await askedNext(workspace), ceyda);
    assert.equal(await askedNext(workspace), aisha);
    await setAvailable(workspace, badr, true);
    assert.equal(await askedNext(workspace), badr);
    for (const id of [aisha, badr, ceyda]) await setAvailable(workspace, id, false);
    assert.equal(await askedNext(workspace), undefined);
    await setAvailable(workspace, aisha, true);
    assert.equal(await askedNext(workspace), aisha);
    assert.equal(await askedNext(workspace), aisha);
  });

  it('shares what arrives at once evenly, each conversation to one agent', async () => {
    const workspace = await majlis.workspace({ users: agents });
    const other = await majlis.another();
    const writers = Array.from({ length: 60 }, () => newDigits());
    const post = (digits: string, n: number) =>
      postNotification(n % 2 === 0 ? majlis : other, workspace, {
        messages: [platformText(digits, 'Hello'), platformText(digits, 'There?')],
      });
    await Promise.all(writers.map(post));
    await untilNotificationsProcessed(majlis);
    const counts = await majlis.sql<{ n: number }>(
      `select count(*)::int as n from conversations where workspace_id = (select id from workspaces where name = $1)
       group by assignee_id`,
      [workspace.applied.workspace.name],
    );
    assert.deepEqual(
      counts.map(({ n }) => n),
      [20, 20, 20],
    );
    await other.stop();
  });

  it('is for the first message of a customer: who was assigned stays, and who was taken off is not asked again', async () => {
    const workspace = await majlis.workspace({ users: agents });
    const [aisha, badr, ceyda] = idsOf(workspace, 'users') as [string, string, string];
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    assert.equal(await assigneeOf(workspace, id), aisha);
    await workspace.api.post(`/conversations/${id}/assign`, { assignee_id: ceyda });
    await workspace.api.post(`/conversations/${id}/close`, {});
    await receiveText(majlis, workspace, digits);
    assert.equal(await assigneeOf(workspace, id), ceyda);
    await workspace.api.post(`/conversations/${id}/assign`, { assignee_id: null });
    await receiveText(majlis, workspace, digits);
    assert.equal(await assigneeOf(workspace, id), undefined);
    assert.equal(await askedNext(workspace), badr);
  });

  it('waits, in a conversation that the business began, until the customer answers', async () => {
    const workspace = await majlis.workspace({ users: agents });
    const [aisha, badr, ceyda] = idsOf(workspace, 'users') as [string, string, string];
    const [first, second] = [newDigits(), newDigits()];
    const { body: one } = await workspace.api.post('/messages', { to: `+${first}`, ...templateMessage });
    const { body: two } = await workspace.api.post('/messages', { to: `+${second}`, ...templateMessage });
    assert.equal(await assigneeOf(workspace, one.conversation_id), undefined);
    await workspace.api.post(`/conversations/${two.conversation_id}/assign`, { assignee_id: ceyda });
    for (const digits of [second, first]) await receiveText(majlis, workspace, digits);
    assert.equal(await assigneeOf(workspace, two.conversation_id), ceyda);
    assert.equal(await assigneeOf(workspace, one.conversation_id), aisha);
    assert.equal(await askedNext(workspace), badr);
  });

  it('is turned off and on by the operator', async () => {
    const workspace = await majlis.workspace({ users: agents, assignment: 'none' });
    const file = { workspace: { name: workspace.applied.workspace.name } };
    assert.equal(await askedNext(workspace), undefined);
    await majlis.operator('PUT', '/workspaces', file);
    assert.equal(await askedNext(workspace), undefined);
    await majlis.operator('PUT', '/workspaces', { ...file, assignment: 'round_robin' });
    assert.equal(await askedNext(workspace), idsOf(workspace, 'users')[0]);
    assert.equal((await majlis.operator('PUT', '/workspaces', { ...file, assignment: 'by_mood' })).status, 422);
  });
});
