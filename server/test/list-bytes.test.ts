import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const most_bytes = 8_000;
const majlis = await startTestService({ env: { RATE_LIMITS: 'off', LIST_BYTES_MAX: String(most_bytes) } });
const names = Array.from({ length: 70 }, (_, n) => `${String(n).padStart(2, '0')} ${'€"\u0001'.repeat(8)}`);
// What the operator's file makes has no quota.
const workspace = await majlis.workspace({
  stages: names.map((name) => ({ name })),
  closing_categories: names.map((name) => ({ name })),
  teams: names.map((name) => ({ name })),
  users: names.map((name, n) => ({ name, email: `user${n}@acme.example`, role: 'agent' })),
  ai_agents: names.map((name) => ({ name })),
  workflows: names.map((name) => ({ name, trigger: 'api_call', steps: [{ do: 'add_note', text: 'x' }] })),
});
const owner = await joinWorkspace(majlis, workspace);
const { api } = workspace;

describe('a list without pages', () => {
  it('has all its entries, in their order, where they fit', async () => {
    const few = await majlis.workspace({ stages: names.slice(0, 30).map((name) => ({ name })) });
    const member = await joinWorkspace(majlis, few);
    const plain = (await few.api.get('/stages')).body;
    const stages = (await member.at('GET', '/stage-entries')).body;
    const contract = plain.map(({ name }: { name: string }) => name);
    assert.deepEqual(contract, names.slice(0, 30));
    assert.deepEqual(
      stages.data.map(({ name }: { name: string }) => name),
      contract,
    );
    assert.ok(stages.version);
    assert.deepEqual((await few.api.get('/custom-fields')).body, { data: [] });
    assert.deepEqual((await member.at('GET', '/views')).body, { data: [] });
  });

  it('is refused with its bound where it has more bytes, at every door', async () => {
    for (const name of names) {
      const { status } = await api.post('/webhook-endpoints', {
        ...{ url: `https://acme.example/${encodeURIComponent(name)}`, events: ['*'] },
      });
      assert.equal(status, 201);
    }
    for (const n of names.keys()) {
      await api.post('/custom-fields', { key: `k${n}`, label: names[n], type: 'text' });
    }
    await api.post('/contacts', { identities: [{ channel_type: 'chatapp', identifier: newDigits() }], tags: names });
    const ofContract = ['/stages', '/teams', '/users', '/ai/agents', '/workflows', '/webhook-endpoints'];
    for (const path of [...ofContract, '/custom-fields', '/tags']) {
      const refused = await api.get(path);
      assert.equal(assertRefused(refused, 422, path).code, 'unprocessable_content');
      assert.match(refused.body.detail, /^The list has more than 8000 bytes/, path);
      assert.equal((await owner.at('GET', path)).status, 422, path);
    }
    const ofDesk = ['/stage-entries', '/closing-entries', '/team-entries', '/workflow-states', '/custom-field-entries'];
    for (const path of ofDesk) {
      assert.equal((await owner.at('GET', path)).status, 422, path);
    }
    // One that fits is still answered, and so is a page.
    assert.equal((await api.get('/channels')).status, 200);
    assert.equal((await api.get('/contacts')).status, 200);
  });
});
