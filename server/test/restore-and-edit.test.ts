import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const workspace = await majlis.workspace({
  teams: [{ name: 'Sales' }],
  stages: [{ name: 'Lead' }],
  ai_agents: [{ name: 'Nour', languages: ['ar'], instructions: 'Answer.' }],
});
const owner = await joinWorkspace(majlis, workspace);
const colleague = await joinWorkspace(majlis, workspace, { role: 'agent' });
const limited = await joinWorkspace(majlis, workspace, { role: 'agent' });
await owner.at('POST', '/custom-fields', { key: 'city', label: 'City', type: 'text' });
const narrowed = await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
assert.equal(narrowed.status, 200, JSON.stringify(narrowed.body));

async function newConversation() {
  const received = await receiveMessage(majlis, workspace, newDigits());
  const path = `/conversations/${received.conversation_id}`;
  // New conversations go to agents in turn.
  await owner.at('POST', `${path}/assign`, { assignee_id: null });
  return { ...received, path };
}

describe('restoring a conversation', () => {
  it('gives back the assignee and the team of before', async () => {
    const { path } = await newConversation();
    await owner.at('POST', `${path}/assign`, { assignee_id: owner.user_id });
    const undone = await owner.at('POST', `${path}/restore`, {
      expected: { assignee_id: owner.user_id, team_id: null },
      restored: { assignee_id: null },
    });
    assert.deepEqual([undone.status, undone.body.assignee_id], [200, undefined]);
  });

  it('learns from the answer of an action what stood before it; an API key is told nothing', async () => {
    const { path, conversation_id } = await newConversation();
    const until = '2040-01-01T05:00:00.000Z';
    await colleague.at('POST', `${path}/assign`, { assignee_id: colleague.user_id });
    const assigned = await owner.at('POST', `${path}/assign`, { assignee_id: owner.user_id });
    await colleague.at('POST', `${path}/snooze`, { until });
    const snoozed = await owner.at('POST', `${path}/snooze`, { until: '2041-01-01T05:00:00.000Z' });
    const before = [assigned, snoozed].map(({ headers }) => JSON.parse(headers.get('majlis-before')!));
    const others = { status: 'open', team_id: null, stage_id: null };
    assert.deepEqual(before, [
      { ...others, assignee_id: colleague.user_id, snoozed_until: null },
      { ...others, assignee_id: owner.user_id, snoozed_until: until },
    ]);
    const byKey = await fetch(`${majlis.url}/v1/conversations/${conversation_id}/assign`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workspace.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ assignee_id: null }),
    });
    assert.deepEqual([byKey.status, byKey.headers.get('majlis-before')], [200, null]);
  });

  it('is refused after a colleague has assigned the conversation', async () => {
    const { path } = await newConversation();
    await owner.at('POST', `${path}/assign`, { assignee_id: owner.user_id });
    await colleague.at('POST', `${path}/assign`, { assignee_id: colleague.user_id });
    const body = { expected: { assignee_id: owner.user_id }, restored: { assignee_id: null } };
    const undone = await owner.at('POST', `${path}/restore`, body);
    assert.deepEqual([undone.status, undone.body.code], [409, 'changed_meanwhile']);
    assert.equal((await owner.at('GET', path)).body.assignee_id, colleague.user_id);
  });

  it('takes back the own closing, with its row, and no closing of a colleague', async () => {
    const { path, conversation_id } = await newConversation();
    const body = { expected: { status: 'closed' }, restored: { status: 'open' } };
    await owner.at('POST', `${path}/close`, { summary: 'Done.' });
    assert.equal((await owner.at('POST', `${path}/restore`, body)).body.status, 'open');
    const closings = () =>
      majlis.sql(
        'select summary from conversation_closings where workspace_id = (select workspace_id from channels limit 1)',
      );
    assert.deepEqual(await closings(), [], conversation_id);
    await owner.at('POST', `${path}/close`, {});
    await colleague.at('POST', `${path}/reopen`);
    await colleague.at('POST', `${path}/close`, {});
    const late = await owner.at('POST', `${path}/close`, { summary: 'Too late.' });
    assert.equal(JSON.parse(late.headers.get('majlis-before')!).status, 'closed');
    assert.equal((await owner.at('POST', `${path}/restore`, body)).body.code, 'changed_meanwhile');
  });

  it('gives back the stage of before, unless a colleague moved the conversation meanwhile', async () => {
    const { path } = await newConversation();
    const stage_id = workspace.applied.stages[0].id;
    await owner.at('PUT', `${path}/stage`, { stage_id });
    const body = { expected: { stage_id }, restored: { stage_id: null } };
    assert.equal((await owner.at('POST', `${path}/restore`, body)).body.stage_id, undefined);
    assert.equal((await owner.at('POST', `${path}/restore`, body)).body.code, 'changed_meanwhile');
    const unknown = await owner.at('POST', `${path}/restore`, { expected: {}, restored: { stage_id: 'x' } });
    assert.equal(unknown.status, 422);
  });

  it('wakes a snoozed conversation, whose state tells the time', async () => {
    const { path } = await newConversation();
    const until = '2030-01-01T05:00:00.000Z';
    await owner.at('POST', `${path}/snooze`, { until });
    assert.deepEqual((await owner.at('GET', `${path}/state`)).body, { snoozed_until: until });
    const body = { expected: { snoozed_until: until }, restored: { snoozed_until: null } };
    assert.equal((await owner.at('POST', `${path}/restore`, body)).status, 200);
    assert.deepEqual((await owner.at('GET', `${path}/state`)).body, {});
    assert.equal((await owner.at('POST', `${path}/restore`, body)).body.code, 'changed_meanwhile');
  });

  it('names the AI agent in control', async () => {
    const { path } = await newConversation();
    const [agent] = (await owner.at('GET', '/ai/agents')).body.data;
    await owner.at('POST', `${path}/handover`, { to: 'bot', ai_agent_id: agent.id });
    const bot = { kind: 'ai_agent', id: agent.id, name: 'Nour' };
    assert.deepEqual((await owner.at('GET', `${path}/state`)).body, { bot });
  });

  it('answers 404 to an agent who may not see the conversation', async () => {
    const { path } = await newConversation();
    const body = { expected: {}, restored: { assignee_id: limited.user_id } };
    assert.equal((await limited.at('POST', `${path}/restore`, body)).status, 404);
    assert.equal((await limited.at('GET', `${path}/state`)).status, 404);
  });
});

describe('editing a contact', () => {
  it('changes what was sent, and clears a member of null', async () => {
    const { contact_id } = await newConversation();
    const edit = (body: object) => owner.at('POST', `/contacts/${contact_id}/edit`, body);
    await edit({ changes: { name: 'Muna', email: 'muna@example.com', custom_fields: { city: 'Muscat' } } });
    const expected = { email: 'muna@example.com', custom_fields: { city: 'Muscat' } };
    const cleared = await edit({ expected, changes: { email: null, custom_fields: { city: null } } });
    assert.equal(cleared.status, 200, JSON.stringify(cleared.body));
    const { name, email, custom_fields } = cleared.body;
    assert.deepEqual({ name, email, custom_fields }, { name: 'Muna', email: undefined, custom_fields: {} });
  });

  it('is refused where a value is another than the person began with', async () => {
    const { contact_id } = await newConversation();
    const at = `/contacts/${contact_id}`;
    const before = (await owner.at('GET', at)).body.name ?? null;
    await colleague.at('PATCH', at, { name: 'Muna', custom_fields: { city: 'Sohar' } });
    const lost = { expected: { name: before }, changes: { name: 'Mona' } };
    assert.equal((await owner.at('POST', `${at}/edit`, lost)).body.code, 'changed_meanwhile');
    const field = { expected: { custom_fields: { city: null } }, changes: { custom_fields: { city: 'Sur' } } };
    assert.equal((await owner.at('POST', `${at}/edit`, field)).body.code, 'changed_meanwhile');
    const { name, custom_fields } = (await owner.at('GET', at)).body;
    assert.deepEqual({ name, custom_fields }, { name: 'Muna', custom_fields: { city: 'Sohar' } });
  });

  it('keeps the tags that two people add at once', async () => {
    const { contact_id } = await newConversation();
    const at = `/contacts/${contact_id}/edit`;
    await Promise.all([owner.at('POST', at, { add_tags: ['vip'] }), colleague.at('POST', at, { add_tags: ['late'] })]);
    const { body, headers } = await owner.at('POST', at, { add_tags: ['vip', 'new'], remove_tags: ['late'] });
    assert.deepEqual(JSON.parse(headers.get('majlis-before')!), { had_tags: [true, false] });
    assert.deepEqual(body.tags.toSorted(), ['new', 'vip']);
  });
});
