import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { controllerOf, messagesOf, startAgents } from '@majlis/testing/start-agents';
import type { TestWorkspace } from '@majlis/testing/start-test-service';

const { models, majlis, open, write, untilAnswers } = await startAgents();

async function setUp(file: Record<string, unknown> = {}) {
  const workspace = await majlis.workspace(file);
  return { workspace, admin: await joinWorkspace(majlis, workspace, { role: 'admin' }) };
}

const stateOf = async (admin: Member) => (await admin.at('GET', '/ai-agents')).body;
const agentOf = async (admin: Member, id: string) =>
  (await stateOf(admin)).data.find(({ agent }: AnyJson) => agent.id === id);

async function create(admin: Member, values: object = {}): Promise<AnyJson> {
  const { status, body } = await admin.at('POST', '/ai-agents', { name: 'Concierge', ...values });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

async function change(admin: Member, { agent, version }: AnyJson, values: object) {
  return admin.at('PATCH', `/ai-agents/${agent.id}`, { version, ...values });
}

async function applyAgain({ applied }: TestWorkspace, file: object): Promise<AnyJson> {
  const { status, body } = await majlis.operator('PUT', '/workspaces', {
    workspace: { name: applied.workspace.name },
    ...file,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

describe('AI agents of administrators', () => {
  it('are made, listed as the contract lists them, and changed member by member', async () => {
    const { workspace, admin } = await setUp();
    const made = await create(admin, { languages: ['ar', 'EN-us', 'ar'], instructions: ' Be short. ' });
    assert.deepEqual([made.agent.languages, made.instructions, made.is_active], [['ar', 'en-US'], 'Be short.', true]);
    assert.deepEqual((await workspace.api.get('/ai/agents')).body.data, [made.agent]);
    const paused = await change(admin, made, { status: 'paused' });
    assert.deepEqual([paused.status, paused.body.is_active, paused.body.instructions], [200, false, 'Be short.']);
    const renamed = await change(admin, paused.body, { name: 'Sara', monthly_credits: 5, status: 'active' });
    assert.deepEqual([renamed.body.agent.name, renamed.body.monthly_credits], ['Sara', 5]);
    const state = await stateOf(admin);
    assert.deepEqual(state.data, [renamed.body]);
    assert.deepEqual([state.has_model, state.has_embeddings], [true, false]);
    const acts = (await admin.at('GET', '/audit')).body.data as AnyJson[];
    assert.deepEqual(
      acts.slice(0, 3).map(({ action, details }) => [action, details.instructions_changed]),
      [
        ['changeAiAgent', undefined],
        ['changeAiAgent', undefined],
        ['createAiAgent', true],
      ],
    );
    assert.ok(!JSON.stringify(acts).includes('Be short'));
  });

  it('refuse a name twice, an empty one, no language, and a change of what somebody changed meanwhile', async () => {
    const { admin } = await setUp();
    const made = await create(admin);
    for (const [values, pointer] of [
      [{ name: 'Concierge' }, '/name'],
      [{ name: '   ' }, '/name'],
      [{ name: 'Sara', languages: ['not a language'] }, '/languages/0'],
      [{ name: 'Sara', monthly_credits: -1 }, '/monthly_credits'],
      [{ name: 'Sara', status: 'asleep' }, '/status'],
    ] as const) {
      const { status, body } = await admin.at('POST', '/ai-agents', values);
      assert.deepEqual([status, body.errors[0].pointer], [422, pointer], JSON.stringify(values));
    }
    assert.equal((await change(admin, made, { status: 'paused' })).status, 200);
    const late = await change(admin, made, { name: 'Late' });
    assert.deepEqual([late.status, late.body.code], [409, 'changed_meanwhile']);
  });

  it('keep a name that a workflow uses', async () => {
    const steps = [{ do: 'hand_over', to: 'ai_agent', agent: 'Concierge' }];
    const workflows = [{ name: 'Welcome', status: 'published', trigger: 'conversation_created', steps }];
    const { workspace, admin } = await setUp({ ai_agents: [{ name: 'Concierge' }], workflows });
    const before = await agentOf(admin, workspace.applied.ai_agents[0].id);
    const { status, body } = await change(admin, before, { name: 'Sara' });
    assert.deepEqual([status, body.errors[0].pointer], [422, '/name']);
    assert.match(body.errors[0].detail, /Welcome/);
    assert.equal((await change(admin, before, { name: 'Concierge', languages: ['ar'] })).status, 200);
  });
});

describe('a workspace file applied again', () => {
  it('keeps agents and budgets as people changed them, and says so', async () => {
    const file = { ai_agents: [{ name: 'Concierge', instructions: 'Be short.' }, { name: 'Night' }] };
    const { workspace, admin } = await setUp({ ...file, ai: { monthly_credits: 10 } });
    const [{ id }, night] = workspace.applied.ai_agents;
    const changed = await change(admin, await agentOf(admin, id), { name: 'Sara', instructions: 'Be kind.' });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.equal((await admin.at('PUT', '/ai-budget', { monthly_credits: 20, expected: 10 })).status, 200);
    const night_shift = { name: 'Night', languages: ['en'] };
    const again = await applyAgain(workspace, {
      ai_agents: [file.ai_agents[0], night_shift],
      ai: { monthly_credits: 10 },
    });
    assert.deepEqual(again.ai_agents, [
      { id, name: 'Concierge' },
      { id: night.id, name: 'Night' },
    ]);
    assert.deepEqual(again.kept, [
      { ai: 'budget', member: 'monthly_credits', value: '20', in_file: '10' },
      { ai_agent: 'Concierge', member: 'name', value: 'Sara', in_file: 'Concierge' },
      { ai_agent: 'Concierge', member: 'instructions', value: 'Be kind.', in_file: 'Be short.' },
    ]);
    const { data, budget } = await stateOf(admin);
    assert.deepEqual(
      data.map(({ agent }: AnyJson) => [agent.name, agent.languages]),
      [
        ['Sara', []],
        ['Night', ['en']],
      ],
    );
    assert.equal(budget.monthly_credits, 20);
  });
});

describe('a budget', () => {
  it('of the workspace changes only as whoever saw it meant', async () => {
    const { admin } = await setUp();
    assert.deepEqual((await stateOf(admin)).budget, { monthly_credits: null, credits_used: 0 });
    const first = await admin.at('PUT', '/ai-budget', { monthly_credits: 5, expected: null });
    assert.deepEqual(first.body, { monthly_credits: 5, credits_used: 0 });
    const second = await admin.at('PUT', '/ai-budget', { monthly_credits: 9, expected: null });
    assert.equal(second.body.code, 'changed_meanwhile');
    assert.equal((await admin.at('PUT', '/ai-budget', { monthly_credits: null, expected: 5 })).status, 200);
  });

  it('of an agent, once used up, leads to people with a note, and leaves other agents alone', async () => {
    const of = await open();
    const admin = await joinWorkspace(majlis, of.workspace, { role: 'admin' });
    const limited = await change(admin, await agentOf(admin, of.agent_id), { monthly_credits: 2 });
    assert.equal(limited.body.conversations, 1);
    models.say('We open at nine.');
    // The model reports 1,200 tokens, which are two credits.
    await write(of, 'When do you open?');
    await untilAnswers(of, 1);
    const used = await eventually(
      () => agentOf(admin, of.agent_id),
      ({ credits_used }) => credits_used === 2,
    );
    assert.deepEqual([used.sent, used.handed_over], [1, 0]);
    await write(of, 'And when do you close?');
    const answer = (await untilAnswers(of, 2)).at(-1);
    assert.deepEqual([answer.outcome, answer.reason], ['handed_over', 'its own AI credits of this month are used up']);
    assert.equal(await controllerOf(of), 'human');
    const note = (await messagesOf(of)).find(({ kind }) => kind === 'note');
    assert.match(note.body, /its own AI credits of this month are used up/);
    const after = await agentOf(admin, of.agent_id);
    assert.deepEqual([after.credits_used, after.handed_over, after.conversations], [2, 1, 0]);
    assert.equal((await stateOf(admin)).budget.credits_used, 2);

    const other = await create(admin, { name: 'Other' });
    const to = { to: 'bot', ai_agent_id: other.agent.id };
    await of.workspace.api.post(`/conversations/${of.conversation}/handover`, to);
    await write(of, 'Hello?');
    assert.equal((await untilAnswers(of, 3)).at(-1).outcome, 'sent');
  });
});
