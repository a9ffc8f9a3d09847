import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { publishWorkflows, startRun, untilRunEnded } from '@majlis/testing/workflows';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({
  assignment: 'round_robin',
  teams: [{ name: 'Sales' }],
  stages: [{ name: 'New' }],
});
const owner = await joinWorkspace(majlis, workspace);
const newAgent = () => joinWorkspace(majlis, workspace, { role: 'agent' });
const newConversation = async () => {
  const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
  return `/conversations/${conversation_id}`;
};

/** Begins to remove the member, as another request does, and commits it once `write` waits for it. */
const memberRemovedDuring = <Answer>({ user_id }: Member, write: () => Promise<Answer>) =>
  removedDuring(
    `with locked as (select id from users where id = '${parseId('user', user_id)}' for update)
     update users u set person_id = null, removed_at = now(), available = false from locked where u.id = locked.id`,
    write,
  );

/** The same for an entry of a list. */
const entryRemovedDuring = <Answer>(table: 'teams' | 'stages', id: string, write: () => Promise<Answer>) =>
  removedDuring(
    `with locked as (select id from ${table} where id = '${id}' for no key update)
     update ${table} e set removed_at = now() from locked where e.id = locked.id`,
    write,
  );

function removedDuring<Answer>(removal: string, write: () => Promise<Answer>): Promise<Answer> {
  return whileHeld(majlis, removal, async (held) => {
    const answer = write();
    await untilWaiting(majlis);
    await held.commit();
    return answer;
  });
}

describe('a member whose removal is under way', () => {
  it('gets no conversation from an assignment that meets it, by a key or a person', async () => {
    const path = await newConversation();
    for (const post of [workspace.api.post, (path: string, body: object) => owner.at('POST', path, body)]) {
      const leaver = await newAgent();
      const assign = () => post(`${path}/assign`, { assignee_id: leaver.user_id });
      const { status, body } = await memberRemovedDuring(leaver, assign);
      assert.deepEqual([status, body.errors?.[0].pointer], [422, '/assignee_id'], JSON.stringify(body));
    }
    assert.equal((await workspace.api.get(path)).body.assignee_id, undefined);
  });

  it('gets no conversation in the turn of the agents', async () => {
    const leaver = await newAgent();
    const path = await memberRemovedDuring(leaver, newConversation);
    assert.equal((await workspace.api.get(path)).body.assignee_id, undefined);
  });

  it('gets no conversation from a workflow', async () => {
    const digits = newDigits();
    const { conversation_id } = await receiveMessage(majlis, workspace, digits);
    const leaver = await newAgent();
    const workflow = { name: 'Assign', trigger: 'api_call', steps: [{ do: 'assign', user: leaver.email }] };
    const ids = await publishWorkflows(majlis, workspace, workflow);
    const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
    const perform = async () =>
      untilRunEnded(majlis, workspace, await startRun(workspace, ids.get('Assign')!, contact));
    const run = await memberRemovedDuring(leaver, perform);
    assert.deepEqual([run.status, run.reason], ['failed', `The workspace has no user ${leaver.email}.`]);
    assert.equal((await workspace.api.get(`/conversations/${conversation_id}`)).body.assignee_id, undefined);
  });

  it('gets into no team', async () => {
    const leaver = await newAgent();
    const create = () => owner.at('POST', '/teams', { name: newDigits(), member_ids: [leaver.user_id] });
    const { status, body } = await memberRemovedDuring(leaver, create);
    assert.deepEqual([status, body.errors?.[0].pointer], [422, '/member_ids/0'], JSON.stringify(body));
  });

  it('gets into no team by the workspace file', async () => {
    const leaver = await newAgent();
    const name = newDigits();
    const file = { workspace: { name: workspace.applied.workspace.name }, teams: [{ name, members: [leaver.email] }] };
    const apply = () => majlis.operator('PUT', '/workspaces', file);
    const { status, body } = await memberRemovedDuring(leaver, apply);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.kept, [{ team: name, member: 'members', value: null, in_file: leaver.email }]);
    const { body: teams } = await owner.at('GET', '/teams');
    const { member_ids } = teams.data.find((team: { name: string }) => team.name === name);
    assert.deepEqual(member_ids, []);
  });
});

it('a team whose removal is under way gets no conversation', async () => {
  const { body: teams } = await workspace.api.get('/teams');
  const path = await newConversation();
  const assign = () => workspace.api.post(`${path}/assign`, { team_id: teams.data[0].id });
  const { status, body } = await entryRemovedDuring('teams', parseId('team', teams.data[0].id)!, assign);
  assert.deepEqual([status, body.errors?.[0].pointer], [422, '/team_id'], JSON.stringify(body));
});

describe('a stage whose removal is under way', () => {
  const newStage = async () => {
    const { body } = await owner.at('POST', '/stages', { name: newDigits() });
    return body.id;
  };

  it('gets no conversation', async () => {
    const stage_id: string = await newStage();
    const path = await newConversation();
    const move = () => workspace.api.request('PUT', `${path}/stage`, { stage_id });
    const { status, body } = await entryRemovedDuring('stages', parseId('stage', stage_id)!, move);
    assert.deepEqual([status, body.errors?.[0].pointer], [422, '/stage_id'], JSON.stringify(body));
  });

  it('gets no conversation and no contact from a workflow', async () => {
    for (const part of ['conversation', 'contact']) {
      const name = newDigits();
      const { body: stage } = await owner.at('POST', '/stages', { name });
      const steps = [{ do: 'set_stage', stage: name, of: part }];
      const ids = await publishWorkflows(majlis, workspace, { name, trigger: 'api_call', steps });
      const digits = newDigits();
      await receiveMessage(majlis, workspace, digits);
      const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
      const perform = async () => untilRunEnded(majlis, workspace, await startRun(workspace, ids.get(name)!, contact));
      const run = await entryRemovedDuring('stages', parseId('stage', stage.id)!, perform);
      assert.deepEqual([part, run.status, run.reason], [part, 'failed', `The workspace has no stage "${name}".`]);
    }
  });

  it('gets no contact', async () => {
    const stage_id: string = await newStage();
    const { body: conversation } = await workspace.api.get(await newConversation());
    const move = () => workspace.api.request('PATCH', `/contacts/${conversation.contact_id}`, { stage_id });
    const { status, body } = await entryRemovedDuring('stages', parseId('stage', stage_id)!, move);
    assert.deepEqual([status, body.errors?.[0].pointer], [422, '/stage_id'], JSON.stringify(body));
  });
});
