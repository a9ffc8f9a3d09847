import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerOf, messagesOf, startAgents } from '@majlis/testing/start-agents';

const key = 'sk-secret-of-the-operator-1';
const { models, majlis, open, write, untilAnswers } = await startAgents({ AI_API_KEY: key });

describe('a provider that answers plain JSON where a stream was asked', () => {
  it('is understood at the first request', async () => {
    const of = await open();
    models.requests.length = 0;
    models.sayPlainly('We open at nine.');
    await write(of, 'When do you open?');
    const [answer] = await untilAnswers(of, 1);
    assert.deepEqual([answer.outcome, answer.reason], ['sent', undefined]);
    assert.equal((await messagesOf(of)).at(-1).body, 'We open at nine.');
    assert.equal(await controllerOf(of), 'bot');
    assert.deepEqual([models.requests.length, models.requests[0]!.body.stream], [1, true]);
  });

  it('may call several tools at once, and answers with what they found', async () => {
    const of = await open();
    models.requests.length = 0;
    const search = (query: string) => ({ tool: 'search_knowledge', input: { query } });
    models.sayPlainly(() => (models.requests.length === 1 ? [search('sofas'), search('chairs')] : 'From 200.'));
    await write(of, 'What does a sofa cost?');
    const [answer] = await untilAnswers(of, 1);
    assert.deepEqual([answer.outcome, answer.reason], ['sent', undefined]);
    const found = models.requests[1]!.body.messages.filter(({ role }: { role: string }) => role === 'tool');
    assert.equal(found.length, 2);
    assert.equal((await messagesOf(of)).at(-1).body, 'From 200.');
  });
});

describe('a provider that fails is named by its failure, in the note and in the log', () => {
  const json = { 'content-type': 'application/json' };
  const fail = (status: number, body: unknown, headers = json) =>
    models.answer((_, response) => response.writeHead(status, headers).end(JSON.stringify(body)));
  const message = `Wrong key ${key} for the quoted request.`;

  for (const [what, play, reason] of [
    [
      'a status and a type',
      () => fail(401, { error: { message, type: 'authentication_error' } }),
      'the server of the model answered 401 (authentication_error)',
    ],
    [
      'a type beside the message',
      () => fail(400, { object: 'error', message, type: 'BadRequestError' }),
      'the server of the model answered 400 (BadRequestError)',
    ],
    [
      'a type that is no identifier',
      () => fail(403, { error: { message, type: key } }),
      'the server of the model answered 403',
    ],
    [
      'an error inside an answer',
      () => fail(200, { error: { message, type: 'overloaded_error' } }),
      'the server of the model answered an error (overloaded_error)',
    ],
    ['a document of another protocol', () => fail(200, { text: message }), 'the answer of the model could not be read'],
    ['JSON that is no object', () => fail(200, null), 'the answer of the model could not be read'],
    [
      'a connection that breaks',
      () => models.answer((_, response) => response.destroy()),
      'the server of the model could not be reached (UND_ERR_SOCKET)',
    ],
  ] as const)
    it(`with ${what}`, async () => {
      const of = await open();
      const logged = majlis.log.length;
      play();
      await write(of, 'When do you open?');
      const answer = (await untilAnswers(of, 1)).at(-1);
      assert.deepEqual([answer.outcome, answer.reason], ['handed_over', reason]);
      assert.equal((await messagesOf(of)).at(-1).body, `Concierge (AI) handed the conversation over: ${reason}.`);
      const log = majlis.log.slice(logged);
      const line = log.find((text) => text.includes('an agent could not answer'));
      assert.equal(JSON.parse(line!).reason, reason);
      assert.ok(!log.some((text) => text.includes(key) || text.includes('quoted request')));
    });
});
