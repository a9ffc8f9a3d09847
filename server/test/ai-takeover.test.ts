import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits, sendText } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { messagesOf, startAgents } from '@majlis/testing/start-agents';
import { startTestService } from '@majlis/testing/start-test-service';

const { models, majlis, open, write, answersOf, untilAnswers, settled } = await startAgents();

/** The model has begun to think, and answers when the gate opens. */
function thinkOf(answer: string) {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  models.say(async () => {
    begun.resolve();
    await gate.promise;
    return answer;
  });
  return { begun: begun.promise, gate: { open: gate.resolve } };
}

describe('a person who takes over while the agent thinks', () => {
  it('is not spoken over: the late answer is never sent, and that is recorded', async () => {
    const of = await open();
    const { begun, gate } = thinkOf('A late answer.');
    await write(of, 'When do you open?');
    await begun;
    assertRefused(
      await of.workspace.api.post(`/conversations/${of.conversation}/messages`, { kind: 'text', body: 'Hi' }),
      409,
    );
    await of.workspace.api.post(`/conversations/${of.conversation}/handover`, { to: 'human' });
    await sendText(of.workspace, of.conversation, 'I am here.');
    gate.open();
    const [answer] = await untilAnswers(of, 1);
    assert.deepEqual([answer.outcome, answer.reason, answer.message_id], ['refused', 'bot_in_control', undefined]);
    const bodies = (await messagesOf(of)).map(({ body }: AnyJson) => body);
    assert.ok(bodies.includes('I am here.') && !bodies.includes('A late answer.'));
  });

  it('or gives it to another agent, which alone may answer', async () => {
    const workspace = await majlis.workspace({ ai_agents: [{ name: 'First' }, { name: 'Second' }] });
    const digits = newDigits();
    const conversation = await receiveText(majlis, workspace, digits);
    const [first, second] = workspace.applied.ai_agents.map(({ id }: AnyJson) => id);
    const of = { workspace, conversation, digits, agent_id: first };
    const handTo = (ai_agent_id: string) =>
      workspace.api.post(`/conversations/${conversation}/handover`, { to: 'bot', ai_agent_id });
    await handTo(first);
    const { begun, gate } = thinkOf('By the first.');
    await write(of, 'When do you open?');
    await begun;
    await handTo(second);
    gate.open();
    const [answer] = await untilAnswers(of, 1);
    assert.equal(answer.outcome, 'refused');
    models.say('By the second.');
    await write(of, 'Hello?');
    await untilAnswers(of, 2);
    const sent = (await messagesOf(of)).filter(({ direction }: AnyJson) => direction === 'outbound');
    assert.deepEqual(
      sent.map(({ body, actor_id }: AnyJson) => [body, actor_id]),
      [['By the second.', second]],
    );
  });

  it('keeps the conversation: the late hand-over is recorded, and adds no note', async () => {
    const of = await open();
    const { begun, gate } = thinkOf('HAND_OVER');
    await write(of, 'Is the moon made of cheese?');
    await begun;
    await of.workspace.api.post(`/conversations/${of.conversation}/handover`, { to: 'human' });
    gate.open();
    const [answer] = await untilAnswers(of, 1);
    assert.deepEqual([answer.outcome, answer.reason], ['refused', 'somebody else had taken over']);
    const kinds = (await messagesOf(of)).map(({ kind }: AnyJson) => kind);
    assert.ok(!kinds.includes('note'));
  });

  it('and gives it back once they have answered: the late answer to the same question is not sent', async () => {
    const of = await open();
    const { begun, gate } = thinkOf('A late answer.');
    await write(of, 'When do you open?');
    await begun;
    const handover = `/conversations/${of.conversation}/handover`;
    await of.workspace.api.post(handover, { to: 'human' });
    await sendText(of.workspace, of.conversation, 'At nine.');
    await of.workspace.api.post(handover, { to: 'bot', ai_agent_id: of.agent_id });
    gate.open();
    const [answer] = await untilAnswers(of, 1);
    assert.deepEqual([answer.outcome, answer.reason], ['refused', 'a person had answered']);
    assert.ok(!(await messagesOf(of)).some(({ body }: AnyJson) => body === 'A late answer.'));
  });

  it('or blocks the contact: nothing is sent', async () => {
    const of = await open();
    const contact = (await of.workspace.api.get(`/conversations/${of.conversation}`)).body.contact_id;
    models.say(async () => {
      await of.workspace.api.request('PATCH', `/contacts/${contact}`, { blocked: true });
      return 'A late answer.';
    });
    await write(of, 'When do you open?');
    const [answer] = await untilAnswers(of, 1);
    assert.deepEqual([answer.outcome, answer.reason], ['refused', 'contact_blocked']);
  });

  it('or erases the contact: nothing of it stays', async () => {
    const of = await open();
    const contact = (await of.workspace.api.get(`/conversations/${of.conversation}`)).body.contact_id;
    models.say('Yes.');
    await write(of, 'Are you there?');
    await untilAnswers(of, 1);
    const erased = Promise.withResolvers<number>();
    models.say(async () => {
      erased.resolve((await of.workspace.api.request('DELETE', `/contacts/${contact}`)).status);
      return 'A late answer.';
    });
    const { phone_number_id } = of.workspace;
    majlis.simulator.inject({ phone_number_id, from: of.digits, type: 'text', content: 'When do you open?' });
    assert.equal(await within(erased.promise, 30_000, 'the erasure'), 204);
    await settled();
    assert.deepEqual(await answersOf(of), []);
    assert.equal((await of.workspace.api.get(`/conversations/${of.conversation}`)).status, 404);
  });
});

describe('a handover', () => {
  it('takes away what an agent was still to answer, whoever answers next; to the same agent it changes nothing', async () => {
    const patient = await startTestService({ env: { RATE_LIMITS: 'off', AI_QUIET_SECONDS: '600' } });
    const workspace = await patient.workspace({ ai_agents: [{ name: 'First' }, { name: 'Second' }] });
    const [first, second] = workspace.applied.ai_agents.map(({ id }: AnyJson) => id);
    const digits = newDigits();
    const conversation = await receiveText(patient, workspace, digits);
    const handTo = (body: object) => workspace.api.post(`/conversations/${conversation}/handover`, body);
    // Put off until the customer is quiet.
    const waiting = () =>
      patient.sql(`select from jobs where kind = 'ai.answer_message' and run_at > now() + interval '1 minute'`);
    const untilWaiting = () => eventually(waiting, (jobs) => jobs.length === 1);
    await handTo({ to: 'bot', ai_agent_id: first });
    for (const next of [{ to: 'human' }, { to: 'bot', ai_agent_id: second }, { to: 'bot' }]) {
      await receiveText(patient, workspace, digits, 'When do you open?');
      await untilWaiting();
      await handTo({ to: 'bot', ai_agent_id: first });
      await untilWaiting();
      await handTo(next);
      assert.deepEqual(await waiting(), [], JSON.stringify(next));
      await handTo({ to: 'bot', ai_agent_id: first });
    }
    await patient.stop();
  });
});

describe('an erasure', () => {
  it('takes away what an agent was still to answer', async () => {
    const patient = await startTestService({ env: { RATE_LIMITS: 'off', AI_QUIET_SECONDS: '600' } });
    const of = await open({}, patient);
    const contact = (await of.workspace.api.get(`/conversations/${of.conversation}`)).body.contact_id;
    await write(of, 'When do you open?', patient);
    const jobs = () => patient.sql(`select from jobs where kind = 'ai.answer_message'`);
    assert.equal((await jobs()).length, 1);
    assert.equal((await of.workspace.api.request('DELETE', `/contacts/${contact}`)).status, 204);
    assert.deepEqual(await jobs(), []);
    await patient.stop();
  });
});
