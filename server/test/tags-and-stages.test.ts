import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

const identity = (identifier: string) => ({ channel_type: 'chatapp', identifier });

async function tagsOf({ api }: TestWorkspace): Promise<Record<string, number>> {
  const { body } = await api.get('/tags');
  return Object.fromEntries(body.data.map(({ name, contacts }: AnyJson) => [name, contacts]));
}

describe('tags', () => {
  it('are those that contacts carry, by name, each with how many carry it', async () => {
    const workspace = await majlis.workspace();
    const { api } = workspace;
    assert.deepEqual((await api.get('/tags')).body, { data: [] });
    const odd = ['ع', ' ', '%', 'x'.repeat(512), '__proto__'];
    for (const tags of [['b', 'a'], ['a', 'a'], odd, []]) {
      await api.post('/contacts', { identities: [identity(newDigits())], tags });
    }
    const expected = [['a', 2], ['b', 1], ...odd.map((name) => [name, 1])].map(([name, contacts]) => ({
      name,
      contacts,
    }));
    const byName = ({ name: a }: AnyJson, { name: b }: AnyJson) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    assert.deepEqual((await api.get('/tags')).body.data, expected.sort(byName));
    assert.deepEqual(await tagsOf(await majlis.workspace()), {});
  });

  it('are counted right whatever is done to contacts', async () => {
    const tags = fc.subarray(['a', 'b', 'c']);
    const step = fc.oneof(
      fc.record({ act: fc.constant('upsert'), n: fc.nat({ max: 5 }), tags }),
      fc.record({ act: fc.constant('change'), n: fc.nat({ max: 5 }), tags }),
      fc.record({ act: fc.constant('import'), n: fc.nat({ max: 5 }), tags }),
      fc.record({ act: fc.constantFrom('erase', 'merge'), n: fc.nat({ max: 5 }), tags }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const workspace = await majlis.workspace();
        const { api } = workspace;
        const people = Array.from({ length: 6 }, newDigits);
        const model = new Map<number, string[]>();
        const idOf = async (n: number) => (await api.get(`/contacts?q=${people[n]}`)).body.data[0].id;
        for (const { act, n, tags } of steps) {
          const row = { identities: [identity(people[n]!)], tags };
          if (act === 'upsert') await api.post('/contacts', row);
          if (act === 'import') await api.post('/contacts/import', { contacts: [row, row] });
          if (act === 'upsert' || act === 'import') model.set(n, tags);
          if (!model.has(n)) continue;
          const other = [...model.keys()].find((candidate) => candidate !== n);
          if (act === 'change') {
            await api.request('PATCH', `/contacts/${await idOf(n)}`, { tags });
            model.set(n, tags);
          }
          if (act === 'erase') {
            await api.request('DELETE', `/contacts/${await idOf(n)}`);
            model.delete(n);
          }
          if (act === 'merge' && other !== undefined) {
            const source_contact_id = await idOf(other);
            await api.post(`/contacts/${await idOf(n)}/merge`, { source_contact_id });
            people[other] = newDigits();
            model.set(n, [...new Set([...model.get(n)!, ...model.get(other)!])]);
            model.delete(other);
          }
        }
        const counts: Record<string, number> = {};
        for (const tag of [...model.values()].flat()) counts[tag] = (counts[tag] ?? 0) + 1;
        assert.deepEqual(await tagsOf(workspace), counts);
      }),
      { numRuns: 25 },
    );
  });

  it('are counted right when many are set and counts summed up at once', async () => {
    const workspace = await majlis.workspace();
    const upserts = Array.from({ length: 200 }, (_, n) =>
      workspace.api.post('/contacts', { identities: [identity(newDigits())], tags: ['all', `t${n % 3}`] }),
    );
    await Promise.all(upserts);
    assert.deepEqual(await tagsOf(workspace), { all: 200, t0: 67, t1: 67, t2: 66 });
    const [{ rows }] = (await majlis.sql(`select count(*)::int as rows from tag_changes where name = 'all'`)) as [
      { rows: number },
    ];
    assert.ok(rows < 200, `${rows} rows were never summed up`);
  });
});

describe('stages', () => {
  it('are a plain array, in order', async () => {
    const stages = [{ name: 'New lead', emoji: '🌱' }, { name: 'Customer' }, { name: 'Friend', emoji: '⭐' }];
    const { api, applied } = await majlis.workspace({ stages });
    const { status, body } = await api.get('/stages');
    assert.equal(status, 200);
    assert.deepEqual(
      body,
      stages.map((stage, index) => ({ id: applied.stages[index].id, ...stage, order: index + 1 })),
    );
    assert.deepEqual((await (await majlis.workspace()).api.get('/stages')).body, []);
  });
});
