import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { addKnowledge } from '@majlis/testing/knowledge';
import { newDigits, sendText } from '@majlis/testing/messages';
import type { Saying } from '@majlis/testing/model-server';
import { receiveText } from '@majlis/testing/notifications';
import { controllerOf, messagesOf, startAgents } from '@majlis/testing/start-agents';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const { models, majlis, open, write, answersOf, untilAnswers, settled } = await startAgents();

const isCustomers = ({ from }: AnyJson) => from === 'customer';

describe('an agent', () => {
  it('answers what is written in a conversation that it controls, once, as itself', async () => {
    const of = await open();
    models.requests.length = 0;
    models.say('We open at nine.');
    await write(of, 'When do you open?');
    const [answer] = await untilAnswers(of, 1);
    assert.deepEqual(
      [answer.outcome, answer.ai_agent_id, answer.conversation_id],
      ['sent', of.agent_id, of.conversation],
    );
    const sent = (await messagesOf(of)).at(-1);
    assert.deepEqual(
      [sent.id, sent.kind, sent.body, sent.actor_kind, sent.actor_id],
      [answer.message_id, 'text', 'We open at nine.', 'ai_agent', of.agent_id],
    );
    await eventually(
      () => messagesOf(of),
      (messages) => messages.at(-1).status === 'read',
    );
    assert.equal(models.requests.length, 1);
    assert.equal(await controllerOf(of), 'bot');
    const [system, user] = models.requests[0]!.body.messages;
    assert.match(system.content, /You work for a furniture shop\./);
    assert.ok(!system.content.includes('When do you open?'));
    assert.deepEqual(JSON.parse(user.content).conversation.at(-1), { from: 'customer', text: 'When do you open?' });
    const tools = models.requests[0]!.body.tools.map((tool: AnyJson) => tool.function.name);
    assert.deepEqual(tools.sort(), ['hand_over', 'search_knowledge']);
  });

  it('is told the latest of a long conversation, as much as a model takes', async () => {
    const of = await open();
    await of.workspace.api.post(`/conversations/${of.conversation}/handover`, { to: 'human' });
    const long = `${'x'.repeat(999)}${'\u{1f6cb}'.repeat(1_000)}`;
    for (let n = 0; n < 20; n++) await sendText(of.workspace, of.conversation, long);
    await of.workspace.api.post(`/conversations/${of.conversation}/handover`, { to: 'bot', ai_agent_id: of.agent_id });
    models.requests.length = 0;
    models.say('We open at nine.');
    await write(of, 'When do you open?');
    await untilAnswers(of, 1);
    const { conversation } = JSON.parse(models.requests[0]!.body.messages[1].content);
    assert.ok(models.requests[0]!.text.length < 30_000);
    assert.deepEqual([conversation.length, conversation.at(-1).text], [8, 'When do you open?']);
    // Servers exist that refuse a request with half of a surrogate pair, wherever a text was cut.
    assert.ok(conversation.every(({ text }: AnyJson) => text.isWellFormed()));
  });

  it('is not asked where a person controls the conversation', async () => {
    const of = await open();
    await of.workspace.api.post(`/conversations/${of.conversation}/handover`, { to: 'human' });
    await write(of, 'When do you open?');
    assert.deepEqual(await majlis.sql(`select from jobs where kind = 'ai.answer_message'`), []);
  });

  it('searches what it may use, and nothing else', async () => {
    const of = await open();
    const { workspace, agent_id } = of;
    const others = await majlis.workspace({ ai_agents: [{ name: 'Other' }] });
    await addKnowledge(majlis, workspace, { text: 'Sofas cost 200.', ai_agent_ids: [agent_id] });
    await addKnowledge(majlis, workspace, { text: 'Sofas cost us 90 to buy.', ai_agent_ids: [] });
    await addKnowledge(majlis, others, { text: 'Sofas of the others cost 150.' });
    models.requests.length = 0;
    let asked = 0;
    models.say(
      (): Saying =>
        asked++ === 0 ? [{ tool: 'search_knowledge', input: { query: 'cost of sofas' } }] : 'They cost 200.',
    );
    await write(of, 'How much is it?');
    const [answer] = await untilAnswers(of, 1);
    assert.equal(answer.outcome, 'sent');
    const told = models.requests.map(({ text }) => text).join();
    assert.ok(told.includes('Sofas cost 200.'));
    assert.ok(!told.includes('90 to buy') && !told.includes('the others'));
  });

  it('answers several messages in quick succession with one', async () => {
    const of = await open();
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    models.requests.length = 0;
    models.say(async ({ body }) => {
      const { conversation } = JSON.parse(body.messages[1].content);
      begun.resolve();
      if (conversation.at(-1).text === 'When do') await gate.promise;
      return `An answer to: ${conversation.at(-1).text}`;
    });
    await write(of, 'When do');
    await within(begun.promise, 30_000, 'the call');
    await write(of, 'you');
    await write(of, 'open?');
    gate.resolve();
    await untilAnswers(of, 1);
    await settled();
    const sent = (await messagesOf(of)).filter(({ direction }: AnyJson) => direction === 'outbound');
    assert.deepEqual(
      sent.map(({ body }: AnyJson) => body),
      ['An answer to: open?'],
    );
  });

  it('waits until the customer is quiet', async () => {
    const patient = await startTestService({
      env: { ...{ RATE_LIMITS: 'off', AI_BASE_URL: models.url, AI_MODEL: 'm' }, AI_QUIET_SECONDS: '600' },
    });
    const of = await open({}, patient);
    models.requests.length = 0;
    models.say('Yes.');
    await write(of, 'Are you', patient);
    await patient.advance(400);
    await write(of, 'there?', patient);
    await patient.advance(400);
    // It was looked at, and put off.
    await eventually(
      () => patient.sql(`select from jobs where kind = 'ai.answer_message' and run_at > now() + interval '10 minutes'`),
      (jobs) => jobs.length === 1,
    );
    assert.equal(models.requests.length, 0);
    await patient.advance(201);
    await untilAnswers(of, 1, patient);
    assert.equal(models.requests.length, 1);
    await patient.stop();
  });

  it('answers each message at most once, though two processes think about it', async () => {
    const of = await open();
    let calls = 0;
    const second = Promise.withResolvers<void>();
    models.say(async () => {
      calls += 1;
      const call = calls;
      if (call === 1) {
        // As of a process that is paused or cut off from the database: its lease is over, and another takes the job.
        await majlis.sql(`update jobs set leased_until = now() - interval '1 s' where kind = 'ai.answer_message'`);
        await second.promise;
      } else second.resolve();
      return `Answer ${call}.`;
    });
    await write(of, 'When do you open?');
    await untilAnswers(of, 1);
    await settled();
    const sent = (await messagesOf(of)).filter(({ direction }: AnyJson) => direction === 'outbound');
    assert.equal(calls, 2);
    assert.equal(sent.length, 1);
    assert.equal((await answersOf(of)).length, 1);
  });
});

describe('an agent to whom a workflow hands over', () => {
  const steps = [
    { do: 'send_message', text: 'Welcome! Our assistant will be with you.' },
    { do: 'hand_over', to: 'ai_agent', agent: 'Concierge' },
  ];

  it('answers what the customer wrote before, and what comes after', async () => {
    const workspace = await majlis.workspace({
      ai_agents: [{ name: 'Concierge' }],
      workflows: [{ name: 'Welcome', status: 'published', trigger: 'conversation_created', steps }],
    });
    const digits = newDigits();
    models.say(({ body }) => `About: ${JSON.parse(body.messages[1].content).conversation.findLast(isCustomers).text}`);
    const conversation = await receiveText(majlis, workspace, digits, 'When do you open?');
    const of = { workspace, conversation, digits, agent_id: workspace.applied.ai_agents[0].id };
    await untilAnswers(of, 1);
    await write(of, 'And on Friday?');
    await untilAnswers(of, 2);
    const sent = (await messagesOf(of)).filter(({ direction }: AnyJson) => direction === 'outbound');
    assert.deepEqual(
      sent.map(({ body, actor_kind }: AnyJson) => [actor_kind, body]),
      [
        ['workflow', 'Welcome! Our assistant will be with you.'],
        ['ai_agent', 'About: When do you open?'],
        ['ai_agent', 'About: And on Friday?'],
      ],
    );
  });
});

describe('a server of models that takes no tools', () => {
  it('is asked without them', async () => {
    const of = await open();
    models.answer((request, response) => {
      if (request.body.tools) return response.writeHead(400).end('{"error":{"message":"no tools"}}');
      models.say('We open at nine.');
      const chunk = { choices: [{ index: 0, delta: { content: 'We open at nine.' }, finish_reason: 'stop' }] };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    });
    await write(of, 'When do you open?');
    assert.equal((await untilAnswers(of, 1))[0].outcome, 'sent');
  });
});

describe('an agent without a model', () => {
  it('quotes what it knows where that fits, and hands over where it does not', async () => {
    await majlis.stop();
    const plain = await startTestService({ env: { RATE_LIMITS: 'off', AI_QUIET_SECONDS: '0' } });
    const of = await open({}, plain);
    await addKnowledge(plain, of.workspace, { text: 'نفتح من السبت إلى الخميس.\n\nWe open at nine. We close at six.' });
    await write(of, 'When do you open?', plain);
    await untilAnswers(of, 1, plain);
    assert.match((await messagesOf(of)).at(-1).body, /We open at nine\./);
    await write(of, 'Do you sell bicycles for children?', plain);
    const answer = (await untilAnswers(of, 2, plain)).at(-1);
    assert.deepEqual([answer.outcome, answer.reason], ['handed_over', 'it is not sure of the answer']);
    assert.equal(await controllerOf(of), 'human');
    assert.ok(parseId('ai_answer', answer.id));
  });
});
