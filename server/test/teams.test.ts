import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const users = [{ name: 'Omar Ali', email: 'omar@acme.example' }];
const workspace = await majlis.workspace({ users, teams: [{ name: 'Sales', members: ['omar@acme.example'] }] });
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
const apply = async (file: object) =>
  (await majlis.operator('PUT', '/workspaces', { workspace: { name: workspace.applied.workspace.name }, ...file }))
    .body;
const entries = async (): Promise<AnyJson[]> => (await admin.at('GET', '/team-entries')).body.data;
const named = async (name: string) => (await entries()).find(({ team }) => team.name === name);

async function create(name: string, member_ids: string[] = []) {
  const { status, body } = await admin.at('POST', '/teams', { name, member_ids });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

describe('a team', () => {
  it('is made, renamed and given members, and everybody sees it', async () => {
    const { team, version } = await create(' Support ', [agent.user_id]);
    assert.deepEqual([team.name, team.member_ids], ['Support', [agent.user_id]]);
    const members = [agent.user_id, admin.user_id];
    const change = { version, name: 'Care', member_ids: members };
    const changed = await admin.at('PATCH', `/teams/${team.id}`, change);
    assert.deepEqual([changed.status, changed.body.team.name], [200, 'Care']);
    assert.deepEqual(changed.body.team.member_ids.toSorted(), members.toSorted());
    const listed = (await agent.at('GET', '/teams')).body.data.find(({ id }: AnyJson) => id === team.id);
    assert.equal(listed.name, 'Care');
    const [act] = (await admin.at('GET', '/audit')).body.data;
    assert.deepEqual([act.action, act.targets.team_id], ['changeTeam', team.id]);
  });

  it('is changed by nobody who has not seen its latest values', async () => {
    const { team, version } = await create('Night');
    await admin.at('PATCH', `/teams/${team.id}`, { version, name: 'Late' });
    const stale = await admin.at('PATCH', `/teams/${team.id}`, { version, name: 'Early' });
    assert.deepEqual([stale.status, stale.body.code], [409, 'changed_meanwhile']);
    const removal = await admin.at('DELETE', `/teams/${team.id}?version=${version}`);
    assert.deepEqual([removal.status, removal.body.code], [409, 'changed_meanwhile']);
    assert.ok(await named('Late'));
  });

  it('has a name of its own, and members of the workspace alone', async () => {
    await create('Unique');
    const again = await admin.at('POST', '/teams', { name: 'Unique' });
    assert.deepEqual([again.status, again.body.errors[0].pointer], [422, '/name']);
    for (const name of ['   ', '\u2063', '\u3164', '\u2800 \u200f']) {
      const blank = await admin.at('POST', '/teams', { name });
      assert.deepEqual([blank.status, blank.body.errors?.[0].pointer], [422, '/name'], JSON.stringify(name));
    }
    const stranger = await admin.at('POST', '/teams', { name: 'Other', member_ids: ['usr_nobody'] });
    assert.deepEqual([stranger.status, stranger.body.errors[0].pointer], [422, '/member_ids/0']);
    assert.equal(await named('Other'), undefined);
  });

  it('is removed from its conversations, whose number was told before', async () => {
    const { team, version } = await create('Orders', [agent.user_id]);
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const path = `/conversations/${conversation_id}`;
    await admin.at('POST', `${path}/assign`, { assignee_id: agent.user_id, team_id: team.id });
    const use = await admin.at('GET', `/teams/${team.id}/use`);
    assert.deepEqual(use.body, { members: 1, conversations: 1, workflows: 0 });
    assert.equal((await admin.at('DELETE', `/teams/${team.id}?version=${version}`)).status, 204);
    const { body } = await admin.at('GET', path);
    assert.deepEqual([body.team_id ?? null, body.assignee_id], [null, agent.user_id]);
    assert.equal(
      (await agent.at('GET', '/teams')).body.data.some(({ id }: AnyJson) => id === team.id),
      false,
    );
    const refused = await admin.at('POST', `${path}/assign`, { assignee_id: null, team_id: team.id });
    assert.equal(refused.status, 422);
    // The thread still says which team it was.
    const thread = JSON.stringify((await admin.at('GET', `${path}/thread`)).body);
    assert.ok(thread.includes('Orders'), thread);
    assert.equal((await admin.at('GET', `/teams/${team.id}/use`)).status, 404);
    // The name is free again.
    await create('Orders');
  });

  it('stays as people changed it when the workspace file is applied again', async () => {
    const { team, version } = (await named('Sales'))!;
    const file = { users, teams: [{ name: 'Sales', members: ['omar@acme.example'] }] };
    assert.equal((await apply(file)).kept, undefined);
    const renamed = await admin.at('PATCH', `/teams/${team.id}`, { version, name: 'Trade', member_ids: [] });
    const applied = await apply(file);
    assert.deepEqual(applied.kept, [
      { team: 'Sales', member: 'name', value: 'Trade', in_file: 'Sales' },
      { team: 'Sales', member: 'members', value: null, in_file: 'omar@acme.example' },
    ]);
    assert.equal(applied.teams[0].id, team.id);
    assert.equal(await named('Sales'), undefined);
    await admin.at('DELETE', `/teams/${team.id}?version=${renamed.body.version}`);
    assert.deepEqual((await apply(file)).kept, [{ team: 'Sales', member: 'team', value: 'removed', in_file: 'Sales' }]);
    assert.equal(await named('Trade'), undefined);
  });
});
