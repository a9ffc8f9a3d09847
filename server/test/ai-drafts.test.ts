import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { addKnowledge } from '@majlis/testing/knowledge';
import { newDigits, sendText } from '@majlis/testing/messages';
import { startModelServer } from '@majlis/testing/model-server';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService, type TestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const models = await startModelServer();
const without = await startTestService({ env: { RATE_LIMITS: 'off' } });
const key = 'key-of-the-model-server';
const model = { AI_BASE_URL: models.url, AI_API_KEY: key, AI_MODEL: 'test-model' };
const majlis = await without.another({ ...model, AI_TIMEOUT_SECONDS: '60' });
// For a model that does not answer in time.
const impatient = await without.another({ ...model, AI_TIMEOUT_SECONDS: '2' });

const delivery = 'Delivery to Sohar takes four days.\nDelivery to Muscat takes two days.';

/** Of a workspace that knows about delivery, in which a customer asked this; seen through that service. */
async function open(service: TestService, question = 'How long does delivery to Sohar take?') {
  const workspace = await service.workspace();
  await addKnowledge(service, workspace, { text: delivery });
  const conversation = await receiveText(service, workspace, newDigits(), question);
  return { workspace, conversation };
}

const compose = ({ api }: TestWorkspace, conversation: string, body: object = {}) =>
  api.post(`/conversations/${conversation}/ai/compose`, body);
const summarize = ({ api }: TestWorkspace, conversation: string) =>
  api.post(`/conversations/${conversation}/ai/summary`);

async function creditsOf({ api }: TestWorkspace): Promise<number> {
  return (await api.get('/usage?from=2020-01-01&to=2100-01-01')).body.ai_credits;
}

describe('a draft without a model', () => {
  it('is quoted from what fits best, with its source, and sends nothing', async () => {
    const { workspace, conversation } = await open(without);
    const { status, body } = await compose(workspace, conversation);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      draft: `${delivery.split('\n')[0]} ${delivery.split('\n')[1]}`,
      sources: [delivery.split('\n')[0]],
    });
    const { data } = (await workspace.api.get(`/conversations/${conversation}/messages`)).body;
    assert.equal(data.length, 1);
    assert.equal(await creditsOf(workspace), 0);
  });

  it('goes by the tone as far as that can be done without one', async () => {
    const { workspace, conversation } = await open(without);
    const draftOf = async (tone: string) => (await compose(workspace, conversation, { tone })).body.draft;
    assert.equal(await draftOf('concise'), 'Delivery to Sohar takes four days.');
    assert.match(await draftOf('friendly'), /^Hello! Delivery to Sohar/);
    assert.match(await draftOf('formal'), /^Dear customer,\s+Delivery to Sohar/);
  });

  it('makes up nothing where nothing is known, and speaks the customer’s language', async () => {
    const { workspace, conversation } = await open(without, 'هل لديكم دراجات هوائية؟');
    const { body } = await compose(workspace, conversation);
    assert.match(body.draft, /شكرًا لرسالتك/);
    assert.deepEqual(body.sources, []);
  });

  it('takes any text for instruction and dialect', async () => {
    const { workspace, conversation } = await open(without);
    for (const text of ['', '%', "'", '\\', '🛋️'.repeat(100), 'a '.repeat(256)]) {
      assert.equal((await compose(workspace, conversation, { instruction: text, dialect: text })).status, 200);
    }
    assertRefused(await compose(workspace, conversation, { tone: 'rude' }));
  });
});

describe('a draft with a model', () => {
  it('is the model’s, and names the sources that it marks', async () => {
    const { workspace, conversation } = await open(majlis);
    await addKnowledge(majlis, workspace, { text: 'Returns: within 14 days after delivery.' });
    await sendText(workspace, conversation, 'Let me look.');
    await workspace.api.post(`/conversations/${conversation}/notes`, { body: 'A note for the team.' });
    models.requests.length = 0;
    models.say('It takes four days [1]. Anything else?');
    const request = { instruction: 'Say how long.', tone: 'friendly', dialect: 'Omani' };
    const { body } = await compose(workspace, conversation, request);
    assert.deepEqual(body, {
      draft: 'It takes four days. Anything else?',
      sources: ['Delivery to Sohar takes four days.'],
    });
    const [asked] = models.requests;
    assert.deepEqual(
      [asked!.path, asked!.authorization, asked!.body.model],
      ['/v1/chat/completions', `Bearer ${key}`, 'test-model'],
    );
    assert.equal(asked!.body.stream, true);
    const material = JSON.parse(asked!.body.messages[1].content);
    assert.deepEqual([material.instruction, material.tone, material.dialect], Object.values(request));
    assert.deepEqual(material.conversation, [
      { from: 'customer', text: 'How long does delivery to Sohar take?' },
      { from: 'business', text: 'Let me look.' },
    ]);
    assert.equal(material.knowledge.length, 2);
    assert.ok(!asked!.text.includes('A note for the team'));
  });

  it('leaves out what the model thought', async () => {
    const { workspace, conversation } = await open(majlis);
    models.say('<think>\nFour days, I think.\n</think>\n\nFour days.');
    assert.equal((await compose(workspace, conversation)).body.draft, 'Four days.');
  });

  it('counts a credit for each 1,000 tokens that are begun', async () => {
    const { workspace, conversation } = await open(majlis);
    models.say('Four days.');
    await compose(workspace, conversation);
    assert.equal(await creditsOf(workspace), 2);
    await summarize(workspace, conversation);
    assert.equal(await creditsOf(workspace), 4);
  });

  it('holds no connection to the database while the model thinks', async () => {
    const narrow = await without.another({
      ...{ AI_BASE_URL: models.url, AI_MODEL: 'test-model', AI_TIMEOUT_SECONDS: '20', DATABASE_POOL_SIZE: '2' },
    });
    const { workspace, conversation } = await open(narrow);
    const gate = Promise.withResolvers<void>();
    let thinking = 0;
    const all = Promise.withResolvers<void>();
    models.say(async () => {
      thinking += 1;
      if (thinking === 8) all.resolve();
      await gate.promise;
      return 'Four days.';
    });
    const drafts = Array.from({ length: 8 }, () => compose(workspace, conversation));
    await within(all.promise, 30_000, 'all calls');
    assert.equal((await workspace.api.get(`/conversations/${conversation}`)).status, 200);
    gate.resolve();
    for (const { body } of await Promise.all(drafts)) assert.equal(body.draft, 'Four days.');
    await narrow.stop();
  });
});

describe('a model that fails', () => {
  const failures: Record<string, () => void> = {
    'answers 500': () => models.answer(500),
    'answers 429': () => models.answer(429),
    'answers 401': () => models.answer(401),
    'answers what is no stream': () => models.answer((_, response) => response.writeHead(200).end('<html>It works!')),
    'answers half a stream': () =>
      models.answer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"choices":[{"delta":{"con');
        response.destroy();
      }),
    'says nothing': () => models.say(''),
    'never answers': () => models.answer(() => {}),
    'begins and stops': () =>
      models.answer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"choices":[{"index":0,"delta":{"content":"Four"}}]}\n\n');
      }),
  };
  for (const [what, fail] of Object.entries(failures)) {
    it(`leaves a draft and a summary from what is known, and costs nothing: ${what}`, async () => {
      const { workspace, conversation } = await open(impatient);
      fail();
      const [draft, summary] = await Promise.all([
        compose(workspace, conversation),
        summarize(workspace, conversation),
      ]);
      assert.deepEqual([draft.status, summary.status], [200, 200]);
      assert.match(draft.body.draft, /^Delivery to Sohar takes four days\./);
      assert.equal(summary.body.summary, 'Customer: How long does delivery to Sohar take?');
      // What was begun and broken off cannot be known.
      if (what !== 'says nothing') assert.equal(await creditsOf(workspace), 0);
      for (const line of impatient.log) assert.ok(!line.includes(key) && !line.includes('Sohar'), line);
    });
  }

  it('is tried again', async () => {
    const { workspace, conversation } = await open(majlis);
    let calls = 0;
    models.answer((request, response) => {
      calls += 1;
      if (calls < 3) return response.writeHead(503).end();
      models.say('Four days.');
      const answer = JSON.stringify({ choices: [{ index: 0, delta: { content: 'Four.' }, finish_reason: 'stop' }] });
      assert.equal(request.body.stream, true);
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${answer}\n\ndata: [DONE]\n\n`);
    });
    assert.equal((await compose(workspace, conversation)).body.draft, 'Four.');
    assert.equal(calls, 3);
  });
});

describe('a summary', () => {
  it('is the model’s, in whatever it wraps it', async () => {
    const { workspace, conversation } = await open(majlis);
    models.say('Sure!\n```json\n{"summary":"Asks about Sohar.","sentiment":"calm","intent":"delivery time"}\n```');
    assert.deepEqual((await summarize(workspace, conversation)).body, {
      summary: 'Asks about Sohar.',
      sentiment: 'calm',
      intent: 'delivery time',
    });
  });

  for (const garbage of ['I cannot.', '{"summary":', '{"summary":{"a":1}}', '[]', '{}']) {
    it(`is made of the conversation’s words where the model writes ${garbage}`, async () => {
      const { workspace, conversation } = await open(majlis, 'Hello. Where is my sofa?');
      models.say(garbage);
      assert.deepEqual((await summarize(workspace, conversation)).body, {
        summary: 'Customer: Hello. Where is my sofa?',
        sentiment: 'unknown',
        intent: 'Where is my sofa?',
      });
    });
  }

  it('without a model tells how it began and where it stands', async () => {
    const digits = newDigits();
    const workspace = await without.workspace();
    const conversation = await receiveText(without, workspace, digits, 'أين طلبي؟');
    await sendText(workspace, conversation, 'سأتحقق.');
    await receiveText(without, workspace, digits, 'شكرا');
    const { body } = await summarize(workspace, conversation);
    assert.equal(body.summary, 'العميل: أين طلبي؟\nالنشاط التجاري: سأتحقق.\nالعميل: شكرا');
    assert.deepEqual([body.sentiment, body.intent], ['unknown', 'أين طلبي؟']);
  });

  it('of a conversation without words is empty', async () => {
    const workspace = await without.workspace();
    const { body } = await workspace.api.post('/messages', {
      ...{ to: `+${newDigits()}`, kind: 'template' },
      template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] },
    });
    const reply = await summarize(workspace, body.conversation_id);
    assert.match(reply.body.summary, /^Business: Hello Muna/);
    assert.equal(reply.body.intent, 'unknown');
  });
});

describe('the budget', () => {
  it('is the operator’s, for a calendar month; behind it everything is answered without the model', async () => {
    const { workspace, conversation } = await open(majlis);
    const apply = (ai: object) => {
      const name = workspace.applied.workspace.name;
      return majlis.operator('PUT', '/workspaces', { workspace: { name }, ai });
    };
    models.say('Four days.');
    assert.equal((await apply({ monthly_credits: 3 })).status, 200);
    const draftOf = async () => (await compose(workspace, conversation)).body.draft;
    assert.equal(await draftOf(), 'Four days.');
    assert.equal(await draftOf(), 'Four days.');
    assert.match(await draftOf(), /^Delivery to Sohar/);
    assert.equal(await creditsOf(workspace), 4);
    await apply({ monthly_credits: null });
    assert.equal(await draftOf(), 'Four days.');
    await apply({ monthly_credits: 6 });
    assert.match(await draftOf(), /^Delivery to Sohar/);
    await majlis.advance(32 * 86_400);
    assert.equal(await draftOf(), 'Four days.');
  });
});

describe('drafts of one workspace', () => {
  it('leave the model to the others while it is slow', async () => {
    const busy = await open(majlis);
    const other = await open(majlis);
    const before = models.requests.length;
    const end = Promise.withResolvers<void>();
    models.say(async () => {
      await end.promise;
      return 'Four days.';
    });
    const asked = () => models.requests.length - before;
    const drafts = Array.from({ length: 12 }, () => compose(busy.workspace, busy.conversation));
    const summary = summarize(busy.workspace, busy.conversation);
    await eventually(asked, (count) => count >= 8);
    const draft = compose(other.workspace, other.conversation);
    await eventually(asked, (count) => count >= 9);
    assert.equal(asked(), 9);
    end.resolve();
    for (const { body } of await Promise.all([...drafts, draft])) assert.equal(body.draft, 'Four days.');
    assert.equal((await summary).status, 200);
    assert.equal(asked(), 14);
  });
});
