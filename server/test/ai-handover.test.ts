import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { type AgentConversation, controllerOf, messagesOf, startAgents } from '@majlis/testing/start-agents';
import type { TestService } from '@majlis/testing/start-test-service';

const { models, majlis, open, write, untilAnswers } = await startAgents();

describe('an agent hands over to a person', () => {
  async function assertHandedOver(of: AgentConversation, reason: RegExp, service: TestService = majlis): Promise<void> {
    const answer = (await untilAnswers(of, 1, service)).at(-1);
    assert.equal(answer.outcome, 'handed_over');
    assert.match(answer.reason, reason);
    assert.equal(await controllerOf(of), 'human');
    const messages = await messagesOf(of);
    const note = messages.at(-1);
    assert.equal(note.kind, 'note');
    assert.match(note.body, /^Concierge \(AI\) handed the conversation over: /);
    assert.match(note.body, reason);
    assert.ok(messages.every(({ direction, kind }: AnyJson) => direction === 'inbound' || kind === 'note'));
  }

  it('where the model calls for one, whatever it says beside', async () => {
    const of = await open();
    models.say([{ tool: 'hand_over', input: { reason: 'Wants a refund, says @Omar\nknows.' } }]);
    await write(of, 'Give me my money back!');
    await assertHandedOver(of, /Wants a refund, says Omar knows/);
  });

  it('where the model is not sure', async () => {
    const of = await open();
    models.say('HAND_OVER');
    await write(of, 'Is the moon made of cheese?');
    await assertHandedOver(of, /not sure/);
  });

  for (const text of [
    'I want to talk to a human',
    'agent please',
    'أريد التحدث مع موظف',
    'حولني على شخص حقيقي لو سمحت',
    'موظف',
  ]) {
    it(`where the customer asks for one, without asking the model: ${text}`, async () => {
      const of = await open();
      models.requests.length = 0;
      await write(of, text);
      await assertHandedOver(of, /asked for a person/);
      assert.equal(models.requests.length, 0);
    });
  }

  for (const [what, fail, reason] of [
    ['fails', () => models.answer(500), /answered 500/],
    ['says nothing', () => models.say(''), /wrote nothing/],
    ['writes garbage', () => models.answer((_, response) => response.writeHead(200).end('<html>')), /./],
    ['writes too much', () => models.say('word '.repeat(2_000)), /too long/],
    ['goes round in circles', () => models.say([{ tool: 'search_knowledge', input: { query: 'x' } }]), /wrote nothing/],
  ] as const) {
    it(`where the model ${what}`, async () => {
      const of = await open();
      fail();
      await write(of, 'When do you open?');
      await assertHandedOver(of, reason);
    });
  }

  it('where the model hangs', async () => {
    const impatient = await startAgents({ AI_TIMEOUT_SECONDS: '2' });
    const of = await impatient.open();
    impatient.models.answer(() => {});
    await impatient.write(of, 'When do you open?');
    await assertHandedOver(of, /did not answer in time/, impatient.majlis);
  });

  it('where it is paused', async () => {
    const of = await open({ status: 'paused' });
    await write(of, 'When do you open?');
    await assertHandedOver(of, /paused/);
  });

  it('where the budget is used up', async () => {
    const of = await open();
    const { name } = of.workspace.applied.workspace;
    await majlis.operator('PUT', '/workspaces', { workspace: { name }, ai: { monthly_credits: 0 } });
    await write(of, 'When do you open?');
    await assertHandedOver(of, /credits of this month/);
  });

  it('where the window closed before it could answer', async () => {
    const of = await open();
    models.say(async () => {
      await majlis.advance(25 * 3600);
      return 'A late answer.';
    });
    await write(of, 'When do you open?');
    const answer = (await untilAnswers(of, 1)).at(-1);
    assert.deepEqual([answer.outcome, answer.reason], ['refused', 'window_closed']);
    assert.equal(await controllerOf(of), 'human');
  });
});
