import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { addKnowledge } from '@majlis/testing/knowledge';
import { newDigits } from '@majlis/testing/messages';
import { startModelServer } from '@majlis/testing/model-server';
import { receiveText } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const models = await startModelServer();
const majlis = await startTestService({
  env: { ...{ RATE_LIMITS: 'off', AI_BASE_URL: models.url }, AI_MODEL: 'writer', AI_EMBEDDING_MODEL: 'embedder' },
});

/** One direction for each thing that is meant, whatever the language. */
function meaningOf(text: string): number[] {
  return [/sofa|كنب/i, /open|نفتح|تفتح|دوام/i, /return|إرجاع/i].map((word) => (word.test(text) ? 1 : 0.01));
}

async function ask(workspace: TestWorkspace, question: string): Promise<string[]> {
  const conversation = await receiveText(majlis, workspace, newDigits(), question);
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

  it('that is set later or failed, what was read before is embedded afterwards, and counted', async () => {
    const before = await startTestService({ env: { RATE_LIMITS: 'off' } });
    models.embed(meaningOf);
    const workspace = await before.workspace();
    await addKnowledge(before, workspace, { text: 'We open at nine.' });
    await addKnowledge(before, workspace, { text: 'Sofas cost 200 rials.\n\n'.repeat(4_000) });
    const bare = async () => {
      const rows = await before.sql<{ left: number }>(
        'select count(*)::int as left from knowledge_passages where embedding is null',
      );
      return rows[0]!.left;
    };
    assert.ok((await bare()) > 64);
    const later = await before.another({ AI_BASE_URL: models.url, AI_EMBEDDING_MODEL: 'embedder' });
    await eventually(bare, (left) => left === 0);
    const creditsOf = async () => (await workspace.api.get('/usage?from=2020-01-01&to=2100-01-01')).body.ai_credits;
    assert.equal(await eventually(creditsOf, (credits) => credits > 1), 2);

    models.embed(() => {
      throw new Error('out of order');
    });
    await addKnowledge(later, workspace, { text: 'Returns are free.' });
    await later.advance(3_601);
    models.embed(meaningOf);
    await eventually(
      async () => {
        await later.advance(3_601);
        return bare();
      },
      (left) => left === 0,
    );
    models.requests.length = 0;
    await later.advance(3_601);
    await eventually(
      () =>
        before.sql(`select from jobs where kind = 'ai.embed_missing' and leased_until is null and run_at > $1`, [
          new Date(Date.now() + 3 * 3_601_000),
        ]),
      (rows) => rows.length === 1,
    );
    assert.equal(models.requests.length, 0);
  });

  it('indexing is counted too', async () => {
    const workspace = await majlis.workspace();
    models.embed(meaningOf);
    await addKnowledge(majlis, workspace, { text: 'We open at nine.' });
    const { body } = await workspace.api.get('/usage?from=2020-01-01&to=2100-01-01');
    assert.equal(body.ai_credits, 1);
  });
});
