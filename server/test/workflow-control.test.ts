import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits, sendText } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { withTrigger } from '@majlis/testing/with-trigger';
import {
  listRuns,
  outboundTexts,
  publishWorkflows,
  startRun,
  untilRun,
  untilRunEnded,
  untilWorkflowsIdle,
} from '@majlis/testing/workflows';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ ai_agents: [{ name: 'Concierge' }] });
const { api, applied } = workspace;
const question = [
  { do: 'ask', name: 'what', text: 'What is it?', within: '1h' },
  { do: 'send_message', text: 'It is {{steps.what.answer}}' },
];
const ids = await publishWorkflows(
  majlis,
  workspace,
  { name: 'Question', trigger: 'api_call', steps: question },
  { name: 'Beside', trigger: 'api_call', control: 'human', steps: question },
  {
    name: 'Later',
    trigger: 'api_call',
    steps: [
      { do: 'wait', for: '1h' },
      { do: 'send_message', text: 'Later' },
    ],
  },
  { name: 'Late', trigger: 'no_reply', reply_from: 'business', after: '300d', steps: [] },
  { name: 'Text', trigger: 'api_call', steps: [{ do: 'send_message', text: 'Text' }] },
);

/** Starts one of these for a customer who just wrote; answers once it waits. */
async function begin(name: string) {
  const digits = newDigits();
  const conversation_id = await receiveText(majlis, workspace, digits);
  const contact = { channel_type: 'chatapp', identifier: `+${digits}` };
  const run = await startRun(workspace, ids.get(name)!, contact);
  const { contact_id } = await untilRun(majlis, workspace, run, ({ steps }) => steps.length > 0);
  return { run, digits, conversation_id, contact, contact_id };
}

const controllerOf = async (id: string) => (await api.get(`/conversations/${id}`)).body.controller;
const handOver = (id: string, body: object) => api.post(`/conversations/${id}/handover`, body);

describe('a run', () => {
  it('controls the conversation from its first message to its end: a user is refused meanwhile', async () => {
    const { run, digits, conversation_id } = await begin('Question');
    assert.equal(await controllerOf(conversation_id), 'bot');
    const refused = await api.post(`/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Me' });
    assert.equal(assertRefused(refused, 409).code, 'bot_in_control');
    await receiveText(majlis, workspace, digits, 'this');
    await untilRunEnded(majlis, workspace, run);
    assert.equal(await controllerOf(conversation_id), 'human');
    await sendText(workspace, conversation_id, 'Me');
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['What is it?', 'It is this', 'Me']);
  });

  it('does not control before it wrote, nor where its workflow leaves control to people', async () => {
    for (const name of ['Later', 'Beside']) {
      const { run, conversation_id } = await begin(name);
      assert.equal(await controllerOf(conversation_id), 'human');
      await sendText(workspace, conversation_id, 'Me');
      assert.equal((await untilRun(majlis, workspace, run, () => true)).status, 'running');
    }
  });

  for (const [title, act, reason] of [
    ['people take over', (id: string) => handOver(id, { to: 'human' }), /A person took over/],
    [
      'another bot takes over',
      (id: string) => handOver(id, { to: 'bot', ai_agent_id: applied.ai_agents[0].id }),
      /another bot/,
    ],
    ['a person closes the conversation', (id: string) => api.post(`/conversations/${id}/close`, {}), /was closed/],
    [
      'the contact is blocked',
      (_: string, contact: string) => api.request('PATCH', `/contacts/${contact}`, { blocked: true }),
      /was blocked/,
    ],
  ] as const) {
    it(`ends when ${title}, with that reason, and says nothing more`, async () => {
      const { run, digits, conversation_id, contact_id } = await begin('Question');
      const reply = await act(conversation_id, contact_id);
      assert.equal(reply.status, 200, reply.text);
      const cancelled = await untilRunEnded(majlis, workspace, run);
      assert.equal(cancelled.status, 'cancelled');
      assert.match(cancelled.reason, reason);
      await receiveText(majlis, workspace, digits, 'this');
      await majlis.advance(3700);
      await untilWorkflowsIdle(majlis);
      assert.deepEqual(await outboundTexts(majlis, conversation_id), ['What is it?']);
      const [row] = await majlis.sql('select workflow_run_id from conversations where id = $1', [
        parseId('conversation', conversation_id),
      ]);
      assert.equal(row!.workflow_run_id, null);
    });
  }

  it('that leaves control to people goes on when they take over', async () => {
    const { run, digits, conversation_id } = await begin('Beside');
    await handOver(conversation_id, { to: 'human' });
    await untilWorkflowsIdle(majlis);
    await receiveText(majlis, workspace, digits, 'this');
    assert.equal((await untilRunEnded(majlis, workspace, run)).status, 'completed');
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['What is it?', 'It is this']);
  });

  it('is refused where another controls, and fails with the reason', async () => {
    const { conversation_id, contact } = await begin('Question');
    const second = await untilRunEnded(majlis, workspace, await startRun(workspace, ids.get('Text')!, contact));
    assert.deepEqual([second.status, second.reason, second.steps[0].outcome], ['failed', 'bot_in_control', 'failed']);
    await handOver(conversation_id, { to: 'bot', ai_agent_id: applied.ai_agents[0].id });
    const third = await untilRunEnded(majlis, workspace, await startRun(workspace, ids.get('Text')!, contact));
    assert.deepEqual([third.status, third.reason], ['failed', 'bot_in_control']);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['What is it?']);
  });

  it('alone is answered: what a customer writes to it starts nothing else', async () => {
    const acme = await majlis.workspace();
    const greet = { name: 'Greet', trigger: 'message_received', steps: question };
    await publishWorkflows(majlis, acme, greet, { ...greet, name: 'Second' });
    const digits = newDigits();
    const id = await receiveText(majlis, acme, digits, 'Hello');
    await eventually(
      () => listRuns(majlis, acme),
      (runs) => runs.length === 1,
    );
    await receiveText(majlis, acme, digits, 'this');
    const [run] = await listRuns(majlis, acme);
    assert.equal((await untilRunEnded(majlis, acme, run!.id)).status, 'completed');
    await untilWorkflowsIdle(majlis);
    assert.deepEqual(
      [(await listRuns(majlis, acme)).length, await outboundTexts(majlis, id)],
      [1, ['What is it?', 'It is this']],
    );
  });

  it('is fenced: of a message and a takeover at the same moment the message comes first or not at all', async () => {
    const begun = await Promise.all(Array.from({ length: 12 }, () => begin('Later')));
    const takenOver = async ({ conversation_id }: AnyJson) => {
      await handOver(conversation_id, { to: 'human' });
      return outboundTexts(majlis, conversation_id);
    };
    const [said] = await Promise.all([Promise.all(begun.map(takenOver)), majlis.advance(3700)]);
    await untilWorkflowsIdle(majlis);
    for (const [index, { run, conversation_id }] of begun.entries()) {
      const { status } = await untilRunEnded(majlis, workspace, run);
      // After the takeover was answered, nothing more is said.
      assert.deepEqual(await outboundTexts(majlis, conversation_id), said[index]);
      assert.equal(status, said[index]!.length > 0 ? 'completed' : 'cancelled');
      assert.equal(await controllerOf(conversation_id), 'human');
    }
  });

  it('that finds itself without control as it is about to send is cancelled', async () => {
    const { run, digits, conversation_id } = await begin('Question');
    // The conversation is held as by a takeover under way, while the answer is being worked through.
    await majlis.sql(`update conversations set controller = 'human', workflow_run_id = null where id = $1`, [
      parseId('conversation', conversation_id),
    ]);
    await receiveText(majlis, workspace, digits, 'this');
    const { status, reason } = await untilRunEnded(majlis, workspace, run);
    assert.deepEqual([status, reason], ['cancelled', 'A person took over the conversation.']);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['What is it?']);
  });
});

describe('the contact of a run', () => {
  it('is erased with everything of it, what waits to begin or to go on included', async () => {
    const canary = `canary${randomUUID()}`;
    const { run, digits, contact_id } = await begin('Question');
    await receiveText(majlis, workspace, digits, canary);
    await untilRunEnded(majlis, workspace, run);
    const contact = { id: contact_id };
    const waiting = await startRun(workspace, ids.get('Later')!, contact, { canary });
    await untilRun(majlis, workspace, waiting, ({ steps }) => steps.length > 0);
    const waits = `select from jobs where kind = 'workflows.begin_run' and strpos(payload, $1) > 0`;
    assert.notEqual((await majlis.sql(waits, [parseId('contact', contact_id)])).length, 0);
    assert.equal((await api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    const left = await majlis.sql(
      `select id::text from workflow_runs where contact_id = $1 union all
       select run_id::text from workflow_run_steps where run_id = any ($2) union all
       select id::text from jobs where kind like 'workflows.%' and strpos(payload, $1::text) > 0`,
      [parseId('contact', contact_id), [parseId('workflow_run', run), parseId('workflow_run', waiting)]],
    );
    assert.deepEqual(left, []);
    await majlis.advance(3700);
    await untilWorkflowsIdle(majlis);
  });

  it('is merged into another, and the run goes on for that one', async () => {
    const { run, digits, conversation_id, contact_id: source_contact_id } = await begin('Question');
    const survivor = await begin('Text');
    const merged = await api.post(`/contacts/${survivor.contact_id}/merge`, { source_contact_id });
    assert.equal(merged.status, 200, merged.text);
    const kept = await receiveText(majlis, workspace, digits, 'this');
    const { status, contact_id } = await untilRunEnded(majlis, workspace, run);
    assert.deepEqual([status, contact_id], ['completed', survivor.contact_id]);
    assert.deepEqual(await outboundTexts(majlis, conversation_id), ['What is it?']);
    assert.deepEqual([kept, await outboundTexts(majlis, kept)], [survivor.conversation_id, ['Text', 'It is this']]);
    assert.deepEqual([await controllerOf(kept), await controllerOf(conversation_id)], ['human', 'human']);
  });

  it('is merged into another between the answer and the next step, and the run takes the answer', async () => {
    const { run, digits, contact_id: source_contact_id } = await begin('Question');
    const survivor = await begin('Text');
    const later = {
      on: 'before insert on jobs',
      when: `new.kind = 'workflows.continue_run' and strpos(new.payload, 'message_id') > 0`,
      body: `new.run_at := new.run_at + interval '30 minutes'; new.wakes_at := new.run_at; new.is_ready := false; return new;`,
    };
    await withTrigger(majlis, later, () => receiveText(majlis, workspace, digits, 'this'));
    // The conversation with the latest message stays the current one.
    const kept = await receiveText(majlis, workspace, survivor.digits, 'And that');
    const merged = await api.post(`/contacts/${survivor.contact_id}/merge`, { source_contact_id });
    assert.equal(merged.status, 200, merged.text);
    await majlis.advance(31 * 60);
    const { status } = await untilRunEnded(majlis, workspace, run);
    assert.deepEqual([status, await outboundTexts(majlis, kept)], ['completed', ['Text', 'It is this']]);
  });

  for (const [who, turned] of [
    ['a blocked one is merged into them', false],
    ['they are merged into a blocked one', true],
  ] as const) {
    it(`is blocked, and the run is over, when ${who}`, async () => {
      const { run, conversation_id, contact_id } = await begin('Question');
      assert.equal(await controllerOf(conversation_id), 'bot');
      const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
      const blocked = (await api.post('/contacts', { identities })).body.id;
      assert.equal((await api.request('PATCH', `/contacts/${blocked}`, { blocked: true })).status, 200);
      const [survivor, source_contact_id] = turned ? [blocked, contact_id] : [contact_id, blocked];
      const merged = await api.post(`/contacts/${survivor}/merge`, { source_contact_id });
      assert.equal(merged.body.blocked, true, merged.text);
      assert.equal(await controllerOf(conversation_id), 'human');
      const { status, reason } = await untilRunEnded(majlis, workspace, run);
      assert.deepEqual([status, reason], ['cancelled', 'The contact was blocked.']);
    });
  }
});
