import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addKnowledge } from './support/knowledge.ts';
import { newDigits } from './support/messages.ts';
import { startModelServer } from './support/model-server.ts';
import { hearFrom } from './support/notices.ts';
import { startMajlis, type Workspace } from './support/start-majlis.ts';

const models = await startModelServer();
const majlis = await startMajlis({
  env: { ...{ RATE_LIMITS: 'off', AI_BASE_URL: models.url }, AI_MODEL: 'writer', AI_EMBEDDING_MODEL: 'embedder' },
});

/** One direction for each thing that is meant, whatever the language. */
function meaningOf(text: string): number[] {
  return [/sofa|كنب/i, /open|نفتح|تفتح|دوام/i, /return|إرجاع/i].map((word) => (word.test(text) ? 1 : 0.01));
}

async function ask(workspace: Workspace, question: string): Promise<string[]> {
  const conversation = await hearFrom(majlis, workspace, newDigits(), question);
  models.requests.length = 0;
  models.say('A draft.');
  await workspace.api.post(`/conversations/${conversation}/ai/compose`, {});
  const { body } = models.requests.find(({ path }) => path.endsWith('/chat/completions'))!;
  return JSON.parse(body.messages[1].content).knowledge.map(({ text }: { text: string }) => text);
}

describe('with an embedding model', () => {
  it('what means the same in another language is found, and what fits best comes first', async () => {
    const workspace = await majlis.workspace();
    models.embed(meaningOf);
    await addKnowledge(majlis, workspace, { text: 'We open at nine.' });
    await addKnowledge(majlis, workspace, { text: 'Sofas cost 200 rials.' });
    const found = await ask(workspace, 'كم سعر الكنب؟');
    assert.equal(found[0], 'Sofas cost 200 rials.');
    assert.deepEqual(
      models.requests.map(({ path, body }) => [path, body.model]),
      [
        ['/v1/embeddings', 'embedder'],
        ['/v1/chat/completions', 'writer'],
      ],
    );
  });

  it('that fails, or was another one before, words alone count', async () => {
    const workspace = await majlis.workspace();
    models.embed(() => {
      throw new Error('out of order');
    });
    const added = await addKnowledge(majlis, workspace, { text: 'We open at nine.' });
    assert.equal(added.status, 'indexed');
    models.embed(meaningOf);
    await addKnowledge(majlis, workspace, { text: 'Returns are free.' });
    models.embed((text) => [...meaningOf(text), 0]);
    assert.equal((await ask(workspace, 'When do you open?'))[0], 'We open at nine.');
  });

  it('indexing is counted too', async () => {
    const workspace = await majlis.workspace();
    models.embed(meaningOf);
    await addKnowledge(majlis, workspace, { text: 'We open at nine.' });
    const { body } = await workspace.api.get('/usage?from=2020-01-01&to=2100-01-01');
    assert.equal(body.ai_credits, 1);
  });
});
