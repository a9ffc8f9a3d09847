import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { listKnowledge } from '@majlis/testing/knowledge';
import { refusedUrls } from '@majlis/testing/refused-urls';
import { startTestService } from '@majlis/testing/start-test-service';
import { startTcpServer } from '@majlis/testing/test-servers';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', WEBHOOK_ALLOW_PRIVATE: '0' } });

describe('a knowledge source whose address is not on the public internet', () => {
  for (const [disguise, urls] of Object.entries(refusedUrls))
    it(`is refused: ${disguise}`, async () => {
      const workspace = await majlis.workspace();
      for (const url of urls) assertRefused(await workspace.api.post('/ai/knowledge-sources', { type: 'url', url }));
      assert.deepEqual(await listKnowledge(majlis, workspace), []);
    });

  it('is never called, and no record tells an open port from a closed one', async () => {
    const trap = await startTcpServer((socket) => socket.end());
    const workspace = await majlis.workspace();
    const targets = [
      `https://127.0.0.1:${trap.port}/`,
      `https://[::ffff:7f00:1]:${trap.port}/`,
      `http://127.0.0.1:${trap.port}/`,
      'https://127.0.0.1:1/',
      'https://169.254.169.254/latest/meta-data/',
    ];
    // As they may have been added while the installation allowed it.
    for (const name of targets) {
      await majlis.sql(
        `with source as (
           insert into knowledge_sources (workspace_id, id, type, name, status, created_at)
           select id, gen_random_uuid(), 'url', $2, 'waiting', now() from workspaces where id = $1
           returning workspace_id, id
         )
         insert into jobs (kind, group_id, payload, run_at)
         select 'ai.index_source', workspace_id,
           json_build_object('workspace_id', workspace_id, 'source_id', id)::text, now() from source`,
        [parseId('workspace', workspace.id), name],
      );
    }
    const sources = await eventually(
      () => listKnowledge(majlis, workspace),
      (all) => all.length === targets.length && all.every(({ status }) => status === 'failed'),
    );
    assert.deepEqual(new Set(sources.map(({ error }) => error)), new Set(['an address that may not be called']));
    assert.equal(trap.connections, 0);
  });
});
