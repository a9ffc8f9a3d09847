import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ThreadChange, ThreadItem } from '@majlis/console-api';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { messageReceiver, receiveMessage } from '@majlis/testing/receive-message';
import { startAgents } from '@majlis/testing/start-agents';
import { templateMessage } from '@majlis/testing/start-test-service';
import { publishWorkflows, startRun, untilRunEnded } from '@majlis/testing/workflows';

const { models, majlis } = await startAgents();
const workspace = await majlis.workspace({
  teams: [{ name: 'Sales' }],
  stages: [{ name: 'Customer' }],
  closing_categories: [{ name: 'Resolved' }],
  ai_agents: [{ name: 'Concierge', languages: ['en'], instructions: 'You work for a shop.' }],
});
const { api, applied } = workspace;
const owner = await joinWorkspace(majlis, workspace, { name: 'Aisha' });
const idOf = (list: string): string => applied[list][0].id;
const [team, stage, reason, agent] = [idOf('teams'), idOf('stages'), idOf('closing_categories'), idOf('ai_agents')];
const tomorrow = '2099-01-01T00:00:00.000Z';
const receive = messageReceiver(majlis, workspace);

const itemsOf = async (conversation_id: string, query = '', person: Member = owner) => {
  const { status, body } = await person.at('GET', `/conversations/${conversation_id}/thread${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as { data: ThreadItem[]; has_earlier: boolean; has_later: boolean };
};
/** The lines of a thread without their ids and times. */
const linesOf = async (conversation_id: string) =>
  (await itemsOf(conversation_id)).data.flatMap((item) => {
    if (item.type !== 'change') return [];
    const { type: _, id: __, created_at: ___, ...line } = item;
    return [line];
  });
const act = async (conversation_id: string, action: string, body: object = {}, method = 'POST') => {
  const answer = await owner.at(method, `/conversations/${conversation_id}/${action}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
};
const begin = async () => {
  const digits = newDigits();
  return { digits, ...(await receiveMessage(majlis, workspace, digits)) };
};
type Line = Omit<ThreadChange, 'type' | 'id' | 'created_at'>;
const byAisha = { actor_kind: 'user', actor_name: 'Aisha', actor_id: owner.user_id };

describe('the lines of a thread', () => {
  it('say what a person does to a conversation, once for each change', async () => {
    const { conversation_id } = await begin();
    const assignment = { assignee_id: owner.user_id, team_id: team };
    for (let time = 0; time < 2; time++) await act(conversation_id, 'assign', assignment);
    for (let time = 0; time < 2; time++) await act(conversation_id, 'stage', { stage_id: stage }, 'PUT');
    for (let time = 0; time < 2; time++) await act(conversation_id, 'snooze', { until: tomorrow });
    for (let time = 0; time < 2; time++) await act(conversation_id, 'handover', { to: 'bot', ai_agent_id: agent });
    await act(conversation_id, 'handover', { to: 'human' });
    await act(conversation_id, 'assign', { assignee_id: null, team_id: null });
    await act(conversation_id, 'stage', { stage_id: null }, 'PUT');
    const closing = { category_id: reason, summary: 'Paid' };
    for (let time = 0; time < 2; time++) await act(conversation_id, 'close', closing);
    for (let time = 0; time < 2; time++) await act(conversation_id, 'reopen');
    assert.deepEqual(await linesOf(conversation_id), [
      { kind: 'team_assigned', ...byAisha, value_id: team, value_name: 'Sales' },
      { kind: 'assigned', ...byAisha, value_id: owner.user_id, value_name: 'Aisha' },
      { kind: 'stage_set', ...byAisha, value_id: stage, value_name: 'Customer' },
      { kind: 'snoozed', ...byAisha, until: tomorrow },
      { kind: 'handed_over', ...byAisha, value_id: agent, value_name: 'Concierge', controller: 'bot' },
      { kind: 'handed_over', ...byAisha, controller: 'human' },
      { kind: 'team_assigned', ...byAisha },
      { kind: 'assigned', ...byAisha },
      { kind: 'stage_set', ...byAisha },
      { kind: 'closed', ...byAisha, reason: 'Resolved', summary: 'Paid' },
      { kind: 'reopened', ...byAisha },
    ] satisfies Line[]);
  });

  it('say that an action was taken back', async () => {
    const { conversation_id } = await begin();
    await act(conversation_id, 'close');
    await act(conversation_id, 'restore', { expected: { status: 'closed' }, restored: { status: 'open' } });
    await act(conversation_id, 'snooze', { until: tomorrow });
    await act(conversation_id, 'restore', { expected: { snoozed_until: tomorrow }, restored: { snoozed_until: null } });
    assert.deepEqual(await linesOf(conversation_id), [
      { kind: 'closed', ...byAisha },
      { kind: 'reopened', ...byAisha },
      { kind: 'snoozed', ...byAisha, until: tomorrow },
      { kind: 'snoozed', ...byAisha },
    ]);
  });

  it('name an API key as such', async () => {
    const { conversation_id } = await begin();
    const path = `/conversations/${conversation_id}`;
    assert.equal((await api.post(`${path}/assign`, { assignee_id: owner.user_id })).status, 200);
    assert.equal((await api.post(`${path}/close`, {})).status, 200);
    const { body } = await api.get(path);
    const sent = await api.post('/messages', { contact_id: body.contact_id, kind: 'text', body: 'Hello' });
    assert.equal(sent.status, 201, sent.text);
    assert.deepEqual(await linesOf(conversation_id), [
      { kind: 'assigned', actor_kind: 'api_key', value_id: owner.user_id, value_name: 'Aisha' },
      { kind: 'closed', actor_kind: 'api_key' },
      { kind: 'reopened', actor_kind: 'api_key' },
    ]);
    assert.equal((await api.post('/messages', { contact_id: body.contact_id, kind: 'text', body: '2' })).status, 201);
    assert.equal((await linesOf(conversation_id)).length, 3);
  });

  it('say that the customer reopened it or ended its snooze, and nothing of further messages', async () => {
    const { conversation_id, contact_id, digits } = await begin();
    const by = { actor_kind: 'contact', actor_id: contact_id };
    await act(conversation_id, 'close');
    await receive(digits, 'text', 'Again');
    await receive(digits, 'text', 'And again');
    await act(conversation_id, 'snooze', { until: tomorrow });
    await receive(digits, 'text', 'Hello?');
    const lines = await linesOf(conversation_id);
    assert.deepEqual(lines.slice(1, 2), [{ kind: 'reopened', ...by }]);
    assert.deepEqual(lines.slice(3), [{ kind: 'snoozed', ...by }]);
    const { data } = await itemsOf(conversation_id);
    const shapes = data.map((item) => (item.type === 'message' ? item.body : item.kind));
    const expected = ['Hello', 'closed', 'Again', 'reopened', 'And again', 'snoozed', 'Hello?', 'snoozed'];
    assert.deepEqual(shapes, expected);
  });

  it('say that a snooze ended by itself', async () => {
    const { conversation_id } = await begin();
    const { now } = (await majlis.operator('GET', '/clock')).body;
    const until = new Date(Date.parse(now) + 60_000).toISOString();
    await act(conversation_id, 'snooze', { until });
    await majlis.advance(61);
    await eventually(
      () => linesOf(conversation_id),
      (lines) => lines.length === 2 && lines[1]!.actor_kind === 'system' && lines[1]!.until === undefined,
    );
  });

  it('say that agents got it in turns, and that a removed member has it no more', async () => {
    const own = await majlis.workspace();
    const boss = await joinWorkspace(majlis, own, { name: 'Huda' });
    const omar = await joinWorkspace(majlis, own, { name: 'Omar', role: 'agent' });
    await majlis.sql(`update users set available = true where name = 'Omar'`);
    const { conversation_id } = await receiveMessage(majlis, own, newDigits());
    const changes = async () =>
      (await itemsOf(conversation_id, '', boss)).data.filter((item): item is ThreadChange => item.type === 'change');
    const [given] = await changes();
    assert.deepEqual([given?.kind, given?.actor_kind, given?.value_name], ['assigned', 'system', 'Omar']);
    assert.equal((await boss.at('DELETE', `/members/${omar.user_id}`)).status, 204);
    const [, taken] = await changes();
    assert.deepEqual([taken?.kind, taken?.actor_name, taken?.value_id], ['assigned', 'Huda', undefined]);
  });

  it('name the workflow that does it', async () => {
    const steps = [
      { do: 'assign', user: owner.email, team: 'Sales' },
      { do: 'set_stage', stage: 'Customer' },
      { do: 'send_message', text: 'Welcome' },
      { do: 'close', category: 'Resolved' },
      { do: 'send_message', text: 'One more' },
      { do: 'hand_over', to: 'ai_agent', agent: 'Concierge' },
    ];
    const ids = await publishWorkflows(majlis, workspace, { name: 'Greeting', trigger: 'api_call', steps });
    const { conversation_id, digits } = await begin();
    const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
    await untilRunEnded(majlis, workspace, await startRun(workspace, ids.get('Greeting')!, contact));
    const by = { actor_kind: 'workflow', actor_name: 'Greeting', actor_id: ids.get('Greeting')! };
    const takesOver = { kind: 'handed_over' as const, ...by, value_id: by.actor_id, value_name: 'Greeting' };
    assert.deepEqual(await linesOf(conversation_id), [
      { kind: 'team_assigned', ...by, value_id: team, value_name: 'Sales' },
      { kind: 'assigned', ...by, value_id: owner.user_id, value_name: 'Aisha' },
      { kind: 'stage_set', ...by, value_id: stage, value_name: 'Customer' },
      { ...takesOver, controller: 'bot' },
      { kind: 'closed', ...by, reason: 'Resolved' },
      { kind: 'reopened', ...by },
      { ...takesOver, controller: 'bot' },
      { kind: 'handed_over', ...by, value_id: agent, value_name: 'Concierge', controller: 'bot' },
    ] satisfies Line[]);
  });

  it('say that a bot gave control to people', async () => {
    const steps = [{ do: 'send_message', text: 'Welcome' }];
    const ids = await publishWorkflows(majlis, workspace, { name: 'Short', trigger: 'api_call', steps });
    const { conversation_id, digits } = await begin();
    const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
    await untilRunEnded(majlis, workspace, await startRun(workspace, ids.get('Short')!, contact));
    assert.deepEqual((await linesOf(conversation_id)).at(-1), {
      ...{ kind: 'handed_over', actor_kind: 'workflow', actor_name: 'Short', actor_id: ids.get('Short')! },
      controller: 'human',
    });
    await act(conversation_id, 'handover', { to: 'bot', ai_agent_id: agent });
    models.say('HAND_OVER');
    await receive(digits, 'text', 'Is the moon made of cheese?');
    const lines = await eventually(
      () => linesOf(conversation_id),
      (found) => found.at(-1)?.controller === 'human' && found.length === 4,
    );
    const byAgent = { actor_kind: 'ai_agent', actor_name: 'Concierge', actor_id: agent };
    assert.deepEqual(lines.at(-1), { kind: 'handed_over', ...byAgent, controller: 'human' });
  });

  it('say that the block of a contact ended the control of a workflow', async () => {
    const steps = [{ do: 'ask', name: 'what', text: 'What is it?', within: '1h' }];
    const ids = await publishWorkflows(majlis, workspace, { name: 'Question', trigger: 'api_call', steps });
    const { conversation_id, contact_id, digits } = await begin();
    await startRun(workspace, ids.get('Question')!, { channel_type: 'chatapp', identifier: `+${digits}` });
    await eventually(
      () => linesOf(conversation_id),
      (lines) => lines.length === 1,
    );
    assert.equal((await owner.at('PATCH', `/contacts/${contact_id}`, { blocked: true })).status, 200);
    const [, released] = await linesOf(conversation_id);
    assert.deepEqual(released, { kind: 'handed_over', actor_kind: 'system', controller: 'human' });
  });

  it('stand between the messages of every page', async () => {
    const { conversation_id, digits } = await begin();
    for (let n = 0; n < 5; n++) {
      await act(conversation_id, 'assign', { assignee_id: n % 2 ? null : owner.user_id });
      if (n % 2) await receive(digits, 'text', `Line ${n}`);
    }
    const all = (await itemsOf(conversation_id)).data;
    const ids = all.map(({ id }) => id);
    assert.equal(all.map(({ type }) => type[0]).join(''), 'mccmccmc');
    const page = async (query: string) => {
      const { data, has_earlier, has_later } = await itemsOf(conversation_id, query);
      return [data.map(({ id }) => ids.indexOf(id)).join(''), has_earlier, has_later];
    };
    for (let at = 0; at < ids.length; at++) {
      for (const limit of [1, 2, 3, 20]) {
        const before = ids.map((_, n) => n).slice(Math.max(0, at - limit), at);
        const after = ids.map((_, n) => n).slice(at + 1, at + 1 + limit);
        const query = `?limit=${limit}`;
        assert.deepEqual(
          await page(`${query}&before=${ids[at]}`),
          [before.join(''), at > limit, true],
          `${at} ${limit}`,
        );
        const hasLater = at + limit < ids.length - 1;
        assert.deepEqual(await page(`${query}&after=${ids[at]}`), [after.join(''), true, hasLater], `${at} ${limit}`);
      }
    }
    assert.deepEqual(await page(`?limit=4&around=${ids[3]}`), ['2345', true, true]);
  });

  it('are hidden with their conversation, stay with it in a merge, and end with an erasure', async () => {
    const [kept, gone] = [await begin(), await begin()];
    await act(gone.conversation_id, 'close', { summary: 'Gone' });
    const other = await joinWorkspace(majlis, await majlis.workspace());
    const path = `/conversations/${gone.conversation_id}/thread`;
    assert.equal((await other.at('GET', path)).status, 404);
    const limited = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
    assert.equal((await limited.at('GET', path)).status, 404);
    const merge = { source_contact_id: gone.contact_id };
    assert.equal((await owner.at('POST', `/contacts/${kept.contact_id}/merge`, merge)).status, 200);
    assert.deepEqual(await linesOf(gone.conversation_id), [{ kind: 'closed', ...byAisha, summary: 'Gone' }]);
    assert.equal((await owner.at('DELETE', `/contacts/${kept.contact_id}`)).status, 204);
    assert.deepEqual(await majlis.sql(`select id from conversation_changes where summary = 'Gone' limit 1`), []);
  });

  it('are one to many sends that reopen a conversation together', async () => {
    const { conversation_id, contact_id } = await begin();
    await act(conversation_id, 'close');
    const sends = Array.from({ length: 6 }, () => owner.at('POST', '/messages', { contact_id, ...templateMessage }));
    for (const { status } of await Promise.all(sends)) assert.equal(status, 201);
    const reopened = (await linesOf(conversation_id)).filter(({ kind }) => kind === 'reopened');
    assert.deepEqual(reopened, [{ kind: 'reopened', ...byAisha }]);
  });
});
