import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import type { AnyJson } from '@majlis/testing/json';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const workspace = await majlis.workspace({
  workflows: [
    { name: 'Welcome', status: 'published', trigger: 'conversation_created' },
    { name: 'Survey', trigger: 'api_call' },
  ],
});
const [welcome] = workspace.applied.workflows;
const list = async (): Promise<AnyJson[]> => (await workspace.api.get('/workflows')).body.data;

describe('the workflows of a workspace', () => {
  it('are listed, all of them, with what starts them', async () => {
    assert.deepEqual(
      (await list()).map(({ name, status, trigger }) => [name, status, trigger]),
      [
        ['Survey', 'draft', 'api_call'],
        ['Welcome', 'published', 'conversation_created'],
      ],
    );
  });

  it('take any status from any other, and say when it last changed', async () => {
    const before = (await list())[1]!.updated_at;
    await majlis.advance(60);
    for (const status of ['paused', 'draft', 'published', 'draft', 'paused', 'published']) {
      const reply = await workspace.api.post(`/workflows/${welcome.id}/status`, { status });
      assert.deepEqual([reply.status, reply.body.status], [200, status]);
    }
    const changed = (await list())[1]!.updated_at;
    assert.ok(changed > before);
    await majlis.advance(60);
    await workspace.api.post(`/workflows/${welcome.id}/status`, { status: 'published' });
    assert.equal((await list())[1]!.updated_at, changed);
  });

  it('refuse another status: 422', async () => {
    for (const body of [{}, { status: 'running' }, { status: null }]) {
      assertRefused(await workspace.api.post(`/workflows/${welcome.id}/status`, body), 422);
    }
  });
});
